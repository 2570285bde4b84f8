// `npm run search`: the tests that draw their cases by chance, with many more cases and another seed than in CI.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { say } from '../bootstrap/progress.mjs';
import { Failure } from '../bootstrap/failure.mjs';
import { runTests } from './main.js';

const SUBJECTS = ['proof', 'property'] as const;
/** What a proof runs: histories over a long time. `npm run explore` draws what happens. */
const PROOFS = ['test/workflow/bounded-history.spec.ts'];
const WAITED_DAYS = 365;
const LARGEST_SEED = 999_999_999;

const HELP = `npm run search [-- proof | property] [--times N] [--seed N]
  proof      a year of waiting
  property   generated requests, bodies and histories
  --times    so many times as many cases as CI has (20)
  --seed     where the generator begins; random by default, and printed`;

/** Runs the search and prints how to repeat it. @returns the exit code. Throws a {@link Failure} for a wrong argument. */
export async function search(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help === true) {
    say(HELP);
    return 0;
  }
  const subjects = positionals.length === 0 ? [...SUBJECTS] : positionals;
  const stray = subjects.find((subject) => !(SUBJECTS as readonly string[]).includes(subject));
  if (stray !== undefined) throw new Failure(`"${stray}" is neither proof nor property.\n${HELP}`);
  const times = wholeNumber('--times', values.times ?? '20');
  const seed = values.seed === undefined ? randomInt(LARGEST_SEED) : wholeNumber('--seed', values.seed);
  say(`  · seed ${seed}, ${times} times as many cases`);
  process.env['PROPERTY_SEED'] = String(seed);
  process.env['PROPERTY_FACTOR'] = String(times);
  process.env['WAITED_DAYS'] = String(WAITED_DAYS);
  const tests = subjects.flatMap((subject) => (subject === 'proof' ? PROOFS : [subject]));
  return runTests(tests, undefined);
}

function parse(args: readonly string[]) {
  try {
    const options = { times: { type: 'string' }, seed: { type: 'string' }, help: { type: 'boolean' } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n${HELP}`);
  }
}

/** Throws a {@link Failure} for anything but a whole number of at least 1. */
export function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Failure(`${option} takes a whole number of at least 1, not "${text}".`);
  return Number(text);
}
