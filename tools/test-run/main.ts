// `npm test`: types, lint, servers and the spec files, side by side. The last line is "N passed, N failed".
import { say } from '../bootstrap/progress.mjs';
import { printError } from '../bootstrap/failure.mjs';
import { onTermination } from '../processes/termination.js';
import { GROUPS, readSelection, specFilesOf } from './groups.js';
import type { TestSelection } from './groups.js';
import { lint } from './lint.js';
import { add, failed, isGreen, NOTHING, PASSED, summarise } from './outcome.js';
import type { Outcome } from './outcome.js';
import { RARITIES } from './rare-files.js';
import { runFiles } from './run-files.js';
import { openTestRun, startTestServers } from '../servers/test-servers.js';
import type { TestRun } from '../servers/test-servers.js';

const HELP = `npm test [-- GROUP… FILE… | --with-long | --serve]

Without arguments: types, lint, and every test but the rare ones. The last line is "N passed, N failed".

GROUP        ${GROUPS.map(({ name }) => name).join(', ')}; ${RARITIES.join(', ')}: rare ones, of every group
FILE         a spec file by its path, test/GROUP/….spec.ts
--with-long  everything, with the "long" tests: what CI waits for
--serve      starts the servers of the tests and keeps them up, for files that are run by hand

Any other option goes to mocha, with its value: npm test -- unit --grep money`;

/** So few files are shown test by test. */
const VERBOSE_FILES = 3;

/**
 * Runs what the arguments ask for and prints the result.
 * @param typeErrors the compiler's messages, when there were any
 * @returns the exit code
 */
export async function runTests(args: readonly string[], typeErrors: string | undefined): Promise<number> {
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    say(HELP);
    return 0;
  }
  const startedAt = performance.now();
  const run = await openTestRun();
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= run.close());
  const ignoreTermination = onTermination((reason, count) => {
    if (count > 1) process.exit(130);
    say(`\n${reason}: ending the test run …`);
    void close().finally(() => process.exit(130));
  });
  let outcome: Outcome;
  try {
    outcome = await runSelection(readSelection(args), typeErrors, run);
  } catch (error) {
    printError(error);
    outcome = failed('the test run', error);
  } finally {
    await close();
    ignoreTermination();
  }
  say(summarise(outcome, performance.now() - startedAt));
  return isGreen(outcome) ? 0 : 1;
}

async function runSelection(selection: TestSelection, typeErrors: string | undefined, run: TestRun): Promise<Outcome> {
  if (selection.serveOnly) return serve(run);
  const files = specFilesOf(selection);
  const needsServers = files.some(({ group }) => group.needsServers);
  const servers = needsServers ? startTestServers(run, process.env) : Promise.resolve({});
  const isVerbose = files.length <= VERBOSE_FILES;
  const tests = runFiles(
    files,
    {
      mochaArguments: selection.mochaArguments,
      isVerbose,
      servers: servers.then((variables) => ({ ...process.env, ...variables })),
    },
    run,
  );
  // Types always count: a test of code that does not compile means little.
  if (typeErrors !== undefined) say(`\n✗ type errors:\n${typeErrors}\n`);
  const types = typeErrors !== undefined ? failed('types', typeErrors) : selection.isComplete ? PASSED : NOTHING;
  return add(types, ...(await Promise.all([tests, ...(selection.isComplete ? [lint()] : [])])));
}

/** Keeps the servers up for single test files that are run by hand. */
async function serve(run: TestRun): Promise<Outcome> {
  const servers = await startTestServers(run, process.env);
  say('\nThe test servers run until Ctrl-C. In another terminal:\n');
  for (const [name, value] of Object.entries(servers)) say(`export ${name}='${value}'`);
  say('npx mocha test/<group>/<file>.spec.ts');
  return new Promise(() => setInterval(() => undefined, 60_000));
}
