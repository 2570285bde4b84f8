// What `npm run mutants -- …` asks for.
import { parseArgs } from 'node:util';
import { Failure } from '../../tools/bootstrap/failure.mjs';

export const HELP = `npm run mutants [-- AREA | FOLDER | FILE … --minutes N --static --report]

Changes one operator, condition or value of the product's code at a time and runs the tests that cover it. A change that
no test notices is a survivor: a missing test, or a change that makes no difference. The areas are in lab/mutants/areas.mjs.

AREA, FOLDER, FILE  only these, for example: rule-tables, domain/, domain/money.ts (default: every area)
--minutes N         starts nothing new after N minutes (default: 60); the next run goes on from there
--static            also code that runs on import, where each mutant takes seconds
--report            only writes docs/mutants.md from the results so far

Results are kept in var/mutants/. The exit code is 1 when an area that was run is below its goal.`;

/**
 * @param {readonly string[]} args
 * @returns {{ help: boolean, report: boolean, withStatic: boolean, minutes: number, wanted: string[] }}
 */
export function readMutantOptions(args) {
  const flag = /** @type {const} */ ({ type: 'boolean' });
  const options = {
    minutes: /** @type {const} */ ({ type: 'string' }),
    report: flag,
    static: flag,
    help: { ...flag, short: 'h' },
  };
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const [problem] = String(error instanceof Error ? error.message : error).split('\n');
    throw new Failure(`${problem} "npm run mutants -- --help" lists the options.`);
  }
  const { minutes = '60', report = false, static: withStatic = false, help = false } = parsed.values;
  if (!/^[1-9][0-9]{0,3}$/.test(minutes)) throw new Failure('--minutes must be a whole number from 1.');
  return { help, report, withStatic, minutes: Number(minutes), wanted: parsed.positionals };
}
