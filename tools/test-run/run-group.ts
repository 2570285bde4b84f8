// Runs one group of tests with mocha in a process of its own, bounded in time; nothing that its tests started outlives it.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { formatDuration, say } from '../bootstrap/progress.mjs';
import { inRoot } from '../bootstrap/root.mjs';
import { listFiles } from '../bootstrap/stamp.mjs';
import { trySignal } from '../processes/registry.js';
import type { TestGroup, TestSelection } from './groups.js';
import { groupNameOf } from './groups.js';
import { filesToRepeat, settle } from './outcome.js';
import type { Attempt, Outcome } from './outcome.js';
import type { TestRun } from '../harness/test-servers.js';

const GROUP_TIMEOUT_MS = 20 * 60_000;
const TEST_TIMEOUT_MS = 20_000;

/** The compiled spec files of a group that the selection wants. */
export function specFilesOf(group: TestGroup, selection: TestSelection): string[] {
  if (selection.files.length > 0) {
    return selection.files
      .filter((file) => groupNameOf(file) === group.name)
      .map((file) => inRoot('dist', file.slice(file.lastIndexOf('test/')).replace(/\.ts$/, '.js')));
  }
  const folder = inRoot('dist', 'test', group.name);
  return existsSync(folder) ? listFiles(folder, (name) => name.endsWith('.spec.js')) : [];
}

/**
 * Runs the files and counts. A process that hangs, crashes or reports nothing counts as one failure. In a run of everything, files of a
 * group that works in real time are run once more by themselves when they failed: see docs/running.md.
 */
export async function runGroup(
  group: TestGroup,
  files: readonly string[],
  selection: TestSelection,
  run: TestRun,
  environment: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const startedAt = performance.now();
  const attempt = (some: readonly string[]) => runFiles(group, some, selection.mochaArguments, run, environment);
  say(`\n━━ ${group.name} tests (${files.length} ${files.length === 1 ? 'file' : 'files'})`);
  const first = await attempt(files);
  const again = selection.isComplete && group.isInRealTime ? filesToRepeat(first) : [];
  if (again.length > 0) say(`  ! once more, by themselves: ${again.join(', ')}`);
  const outcome = settle(first, again.length > 0 ? await attempt(again.map((file) => inRoot(file))) : null);
  const { passed, failures, unstable } = outcome;
  const besides = [
    [first.skipped, 'skipped'],
    [unstable.length, 'unstable'],
  ] as const;
  const counts = [
    `${passed} passed`,
    `${failures.length} failed`,
    ...besides.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`),
  ];
  say(`━━ ${group.name}: ${counts.join(', ')} (${formatDuration(performance.now() - startedAt)})`);
  return outcome;
}

async function runFiles(
  group: TestGroup,
  files: readonly string[],
  mochaArguments: readonly string[],
  run: TestRun,
  environment: NodeJS.ProcessEnv,
): Promise<Attempt> {
  const resultFile = join(run.folder, `result-${group.name}.json`);
  rmSync(resultFile, { force: true });
  const ended = await runMocha(files, mochaArguments, run, { ...environment, TEST_RESULT_FILE: resultFile });
  const result = readResult(resultFile);
  const problem = describeProblem(ended, result);
  if (problem === undefined && result !== undefined) return result;
  say(`  ✗ the ${group.name} tests ${problem}`);
  const { passedIn, skipped, failures } = result ?? { passedIn: {}, skipped: 0, failures: [] };
  return {
    passedIn,
    skipped,
    failures: [...failures, { file: '', title: `the ${group.name} tests`, error: problem ?? '' }],
  };
}

interface MochaEnd {
  readonly code: number | null;
  readonly timedOut: boolean;
}

async function runMocha(
  files: readonly string[],
  mochaArguments: readonly string[],
  run: TestRun,
  env: NodeJS.ProcessEnv,
): Promise<MochaEnd> {
  const child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      inRoot('node_modules', 'mocha', 'bin', 'mocha.js'),
      '--no-config',
      '--exit',
      '--forbid-only',
      '--timeout',
      String(TEST_TIMEOUT_MS),
      '--reporter',
      inRoot('tools', 'test-run', 'reporter.cjs'),
      ...mochaArguments,
      ...files,
    ],
    { cwd: inRoot(), env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const pid = child.pid;
  if (pid === undefined) throw new Error('mocha cannot be started');
  run.registry.add(pid, 'mocha', 'SIGKILL');
  let hasEnded = false;
  run.onClose(async () => {
    if (!hasEnded) trySignal(-pid, 'SIGKILL');
  });
  return new Promise((resolve) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      trySignal(-pid, 'SIGKILL');
    }, GROUP_TIMEOUT_MS);
    child.once('exit', (code) => {
      hasEnded = true;
      clearTimeout(timer);
      // Whatever the tests started in their process's group and did not end.
      trySignal(-pid, 'SIGKILL');
      run.registry.remove(pid);
      resolve({ code, timedOut });
    });
  });
}

function readResult(file: string): Attempt | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Attempt;
  } catch {
    return undefined;
  }
}

function describeProblem({ code, timedOut }: MochaEnd, result: Attempt | undefined): string | undefined {
  if (timedOut) return `did not end within ${formatDuration(GROUP_TIMEOUT_MS)}`;
  if (result === undefined) return `ended without a result (exit code ${code})`;
  if (code !== 0 && result.failures.length === 0) return `failed outside of any test (exit code ${code})`;
  return undefined;
}
