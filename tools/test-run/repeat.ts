// `npm run test:repeat`: runs tests again and again on a busy machine, and remembers the results between calls.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from '../bootstrap/failure.mjs';
import { say } from '../bootstrap/progress.mjs';
import { inRoot } from '../bootstrap/root.mjs';
import { wholeNumber } from './search.js';
import { USUAL } from './groups.js';
import { runTests } from './main.js';

/** The groups that work in real time. */
const REAL_TIME = ['workflow', 'proof', 'integration', 'property', 'fault'];
const RESULTS = inRoot('var', 'test-repeat.json');

const HELP = `npm run test:repeat [-- --times N] [--load N] [--fresh] [GROUP … FILE …]
  --times   stop after so many runs in all (20); runs of an earlier call count
  --load    files that run at once: they are each other's load (8)
  --fresh   forget earlier runs
  GROUP …   what to run; by default what npm test runs of ${REAL_TIME.join(', ')}`;

interface Results {
  /** What was run; another choice starts over. */
  readonly tests: readonly string[];
  readonly load: number;
  /** The exit code of each run, and when it ended. */
  readonly runs: readonly { readonly exitCode: number; readonly endedAt: string }[];
}

/** Repeats the tests. Resumable: each run is saved as it ends. @returns 0 when every run passed */
export async function repeat(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help === true) {
    say(HELP);
    return 0;
  }
  const times = wholeNumber('--times', values.times ?? '20');
  const load = wholeNumber('--load', values.load ?? '8');
  const tests = positionals.length === 0 ? [...REAL_TIME, USUAL] : positionals;
  if (values.fresh === true) rmSync(RESULTS, { force: true });
  let results = readResults(tests, load);
  process.env['TEST_JOBS'] = String(load);
  while (results.runs.length < times) {
    say(`\n━━ run ${results.runs.length + 1} of ${times}, ${load} files at once`);
    const exitCode = await runTests(tests, undefined);
    results = { ...results, runs: [...results.runs, { exitCode, endedAt: new Date().toISOString() }] };
    save(results);
  }
  const failed = results.runs.filter(({ exitCode }) => exitCode !== 0).length;
  say(`\n${results.runs.length} runs of ${tests.join(' ')}, ${load} files at once: ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function readResults(tests: readonly string[], load: number): Results {
  const none: Results = { tests, load, runs: [] };
  try {
    const kept = JSON.parse(readFileSync(RESULTS, 'utf8')) as Results;
    return kept.tests.join() === tests.join() && kept.load === load ? kept : none;
  } catch {
    return none;
  }
}

function save(results: Results): void {
  mkdirSync(dirname(RESULTS), { recursive: true });
  writeFileSync(RESULTS, JSON.stringify(results, null, 2));
}

function parse(args: readonly string[]) {
  try {
    const options = {
      times: { type: 'string' },
      load: { type: 'string' },
      fresh: { type: 'boolean' },
      help: { type: 'boolean' },
    } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n${HELP}`);
  }
}
