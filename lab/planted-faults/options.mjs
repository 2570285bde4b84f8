// What `npm run explore:planted -- …` asks for.
import { parseArgs } from 'node:util';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import { AREAS, FAULTS } from './faults/index.mjs';

/** Below this share of faults found, in per cent, the search is not good enough. */
export const GOAL = 95;
/** What is found needs no smaller story here. */
const SEARCHER = 'npm run explore -- --no-shrink --players 1';
/** Five minutes of two processors. */
const USUAL_SECONDS = '600';

export const HELP = `npm run explore:planted [-- --only NAME --shard I/N --processor-seconds N --by COMMAND …]

Plants one fault at a time in a copy of the tree and lets the searcher look for it, until it has used so much of
processors, PostgreSQL's part included: a busy machine finds no less. A fault is one line that loses money
or stops a payment; lab/planted-faults/faults/ lists them. First the searcher runs on the unchanged tree, where it must
find nothing.

--only NAME      only this fault, or the faults of this area (${AREAS.map(({ name }) => name).join(', ')}); repeatable
--shard I/N      only every Nth fault, beginning with the Ith, so that N machines share the work
--processor-seconds N  for one fault, with what earlier runs used (default: ${USUAL_SECONDS}); few at first, then more for
                 those that are left, finds most soonest
--by COMMAND     another searcher, in the copy; it fails with exit code 1 if it finds something. With
                 --by "npm test -- FILE" this shows which faults today's tests notice
--no-control     does not run the searcher on the unchanged tree
--earlier-code   counts results of earlier code too
--anew           forgets the results of the chosen faults
--list           lists the chosen faults and runs nothing
--report         prints the table of the results so far and runs nothing

Results are kept in var/planted-faults/: the next run goes on from there. The exit code is 1 when less than ${GOAL} % of the
chosen faults are found.`;

/**
 * @typedef {object} PlantedOptions
 * @property {'help' | 'list' | 'report' | 'run'} task
 * @property {readonly import('./faults/index.mjs').PlantedFault[]} chosen
 * @property {number} processorSeconds
 * @property {string} by the searcher's command
 * @property {boolean} isSeeded whether it prints a seed with what it finds
 * @property {boolean} withControl
 * @property {boolean} earlierCode
 * @property {boolean} anew
 */

/**
 * @param {readonly string[]} args
 * @returns {PlantedOptions} throws a {@link Failure} for what makes no sense
 */
export function readPlantedOptions(args) {
  const values = parse(args);
  const { 'processor-seconds': seconds = USUAL_SECONDS, shard = '1/1', only = [] } = values;
  if (!/^[1-9][0-9]{0,4}$/.test(seconds))
    throw new Failure('--processor-seconds must be a whole number from 1 to 99999.');
  return {
    task: values.help ? 'help' : values.list ? 'list' : values.report ? 'report' : 'run',
    chosen: shardOf(namedFaults(only), shard),
    processorSeconds: Number(seconds),
    by: values.by ?? SEARCHER,
    isSeeded: values.by === undefined,
    withControl: values['no-control'] !== true,
    earlierCode: values['earlier-code'] === true,
    anew: values.anew === true,
  };
}

/** @param {readonly string[]} args */
function parse(args) {
  const flag = /** @type {const} */ ({ type: 'boolean' });
  const text = /** @type {const} */ ({ type: 'string' });
  const options = {
    only: /** @type {const} */ ({ type: 'string', multiple: true }),
    shard: text,
    'processor-seconds': text,
    by: text,
    'no-control': flag,
    'earlier-code': flag,
    anew: flag,
    list: flag,
    report: flag,
    help: /** @type {const} */ ({ type: 'boolean', short: 'h' }),
  };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const [problem] = String(error instanceof Error ? error.message : error).split('\n');
    throw new Failure(`${problem} "npm run explore:planted -- --help" lists the options.`);
  }
}

/** @param {readonly string[]} names */
function namedFaults(names) {
  const unknown = names.find((name) => !isArea(name) && !FAULTS.some((fault) => fault.name === name));
  if (unknown !== undefined)
    throw new Failure(`"${unknown}" is no fault and no area. "npm run explore:planted -- --list" lists them.`);
  if (names.length === 0) return FAULTS;
  return AREAS.flatMap(({ name: area, faults }) =>
    names.includes(area) ? faults : faults.filter(({ name }) => names.includes(name)),
  );
}

/** @param {string} word */
function isArea(word) {
  return AREAS.some(({ name }) => name === word);
}

/**
 * @template T
 * @param {readonly T[]} all
 * @param {string} shard "2/3"
 */
function shardOf(all, shard) {
  const [own = 0, of = 0] = (/^([1-9][0-9]*)\/([1-9][0-9]*)$/.exec(shard)?.slice(1) ?? []).map(Number);
  if (own === 0 || own > of) throw new Failure('--shard must be like 1/3: the first of three.');
  return all.filter((_, index) => index % of === own - 1);
}
