// `npm run test:repeat`: runs tests again and again on a busy machine, and remembers the results between calls.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
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
const LOAD_SAMPLE_MS = 10_000;

const HELP = `npm run test:repeat [-- --times N] [--files N] [--fresh] [GROUP … FILE …]
  --times   stop after so many runs in all (20); runs of an earlier call count
  --files   run so many files at once (4): they are each other's load, on two processors about eight
  --fresh   forget earlier runs
  GROUP …   what to run; by default what npm test runs of ${REAL_TIME.join(', ')}`;

interface Results {
  /** What was run; another choice starts over. */
  readonly tests: readonly string[];
  readonly files: number;
  readonly runs: readonly Run[];
}

interface Run {
  readonly exitCode: number;
  readonly endedAt: string;
  /** The mean of the system's load average, as `uptime` shows it. */
  readonly load: number;
}

/** Repeats the tests. Resumable: each run is saved as it ends. @returns 0 when every run passed */
export async function repeat(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help === true) {
    say(HELP);
    return 0;
  }
  const times = wholeNumber('--times', values.times ?? '20');
  const files = wholeNumber('--files', values.files ?? '4');
  const tests = positionals.length === 0 ? [...REAL_TIME, USUAL] : positionals;
  if (values.fresh === true) rmSync(RESULTS, { force: true });
  let results = readResults(tests, files);
  process.env['TEST_JOBS'] = String(files);
  while (results.runs.length < times) {
    say(`\n━━ run ${results.runs.length + 1} of ${times}, ${files} files at once`);
    const run = await runOnce(tests);
    say(`load ${run.load}`);
    results = { ...results, runs: [...results.runs, run] };
    save(results);
  }
  const failed = results.runs.filter(({ exitCode }) => exitCode !== 0).length;
  const loads = results.runs.map(({ load }) => load);
  say(
    `\n${results.runs.length} runs of ${tests.join(' ')}, ${files} files at once: ${failed} failed ` +
      `(load ${Math.min(...loads)} to ${Math.max(...loads)})`,
  );
  return failed === 0 ? 0 : 1;
}

async function runOnce(tests: readonly string[]): Promise<Run> {
  const loads: number[] = [];
  const sampling = setInterval(() => loads.push(loadavg()[0] ?? 0), LOAD_SAMPLE_MS);
  const exitCode = await runTests(tests, undefined);
  clearInterval(sampling);
  const mean = loads.reduce((sum, load) => sum + load, 0) / Math.max(1, loads.length);
  return { exitCode, endedAt: new Date().toISOString(), load: Number(mean.toFixed(1)) };
}

function readResults(tests: readonly string[], files: number): Results {
  const none: Results = { tests, files, runs: [] };
  try {
    const kept = JSON.parse(readFileSync(RESULTS, 'utf8')) as Results;
    return kept.tests.join() === tests.join() && kept.files === files ? kept : none;
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
      files: { type: 'string' },
      fresh: { type: 'boolean' },
      help: { type: 'boolean' },
    } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n${HELP}`);
  }
}
