// `npm test`: types, lint, servers, then every group of tests. The last line is "N passed, N failed".
import { inRoot } from '../bootstrap/root.mjs';
import { formatDuration, say, step } from '../bootstrap/progress.mjs';
import { printError } from '../bootstrap/failure.mjs';
import { mustRun } from '../bootstrap/run-command.mjs';
import { onTermination } from '../processes/termination.js';
import { readSelection } from './groups.js';
import type { TestSelection } from './groups.js';
import { runGroup, specFilesOf } from './run-group.js';
import type { Counts } from './run-group.js';
import { openTestRun, startTestServers } from './servers.js';
import type { TestRun } from './servers.js';

const LINT_TIMEOUT_MS = 5 * 60_000;
const SHOWN_LINT_LINES = 60;
const PASSED: Counts = { passed: 1, failed: 0 };
const FAILED: Counts = { passed: 0, failed: 1 };

/**
 * Runs what the arguments ask for and prints the result.
 * @param typeErrors the compiler's messages, when there were any
 * @returns the exit code
 */
export async function runTests(args: readonly string[], typeErrors: string | undefined): Promise<number> {
  const startedAt = performance.now();
  const run = await openTestRun();
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= run.close());
  onTermination((reason, count) => {
    if (count > 1) process.exit(130);
    say(`\n${reason}: ending the test run …`);
    void close().finally(() => process.exit(130));
  });
  let counts: Counts;
  try {
    counts = await runSelection(readSelection(args), typeErrors, run);
  } catch (error) {
    printError(error);
    counts = FAILED;
  } finally {
    await close();
  }
  const ran = counts.passed + counts.failed;
  say(`\n${ran === 0 ? 'No test matched. ' : ''}Took ${formatDuration(performance.now() - startedAt)}.`);
  say(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 && ran > 0 ? 0 : 1;
}

async function runSelection(selection: TestSelection, typeErrors: string | undefined, run: TestRun): Promise<Counts> {
  if (selection.serveOnly) return serve(run);
  let total = await runChecks(selection, typeErrors);
  let servers: Record<string, string> | undefined;
  for (const group of selection.groups) {
    const files = specFilesOf(group, selection);
    if (files.length === 0) continue;
    try {
      if (group.needsServers) servers ??= await startTestServers(run, process.env);
    } catch (error) {
      printError(error);
      say(`✗ The ${group.name} tests and those after them could not be run.`);
      return add(total, FAILED);
    }
    total = add(total, await runGroup(group, files, selection, run, { ...process.env, ...servers }));
  }
  return total;
}

/** Types count always (a test of code that does not compile means little), lint in a run of everything. */
async function runChecks(selection: TestSelection, typeErrors: string | undefined): Promise<Counts> {
  if (typeErrors !== undefined) say(`\n✗ type errors:\n${typeErrors}\n`);
  const types = typeErrors === undefined ? PASSED : FAILED;
  return selection.isComplete ? add(types, await lint()) : { passed: 0, failed: types.failed };
}

async function lint(): Promise<Counts> {
  const logFile = inRoot('var', 'logs', 'build-lint.log');
  const eslint = [inRoot('node_modules', 'eslint', 'bin', 'eslint.js'), '.', '--max-warnings', '0'];
  try {
    await step('eslint', () => mustRun(process.execPath, eslint, { what: 'eslint', logFile, timeoutMs: LINT_TIMEOUT_MS, cwd: inRoot(), shownLines: SHOWN_LINT_LINES }));
    return PASSED;
  } catch (error) {
    printError(error);
    return FAILED;
  }
}

/** Keeps the servers up for single test files that are run by hand. */
async function serve(run: TestRun): Promise<Counts> {
  const servers = await startTestServers(run, process.env);
  say('\nThe test servers run until Ctrl-C. In another terminal:\n');
  for (const [name, value] of Object.entries(servers)) say(`export ${name}='${value}'`);
  say('npx mocha test/<group>/<file>.spec.ts');
  return new Promise(() => setInterval(() => undefined, 60_000));
}

function add(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed };
}
