// Runs spec files side by side: several slots, each with a worker process for the group it is in.
import { availableParallelism } from 'node:os';
import { formatDuration, say } from '../bootstrap/progress.mjs';
import type { TestRun } from '../servers/test-servers.js';
import type { SpecFile } from './groups.js';
import { add, failed, NOTHING } from './outcome.js';
import type { FailedTest, Outcome } from './outcome.js';
import { Schedule } from './schedule.js';
import { type FileEnd, WorkerProcess } from './worker-process.js';

/** Long enough for a machine that is busy with other things: a test fails by this only when it hangs. */
const TEST_TIMEOUT_MS = 60_000;
const SHOWN_OUTPUT_LINES = 60;

export interface RunOptions {
  readonly mochaArguments: readonly string[];
  /** Say every test, and what the tests write. */
  readonly isVerbose: boolean;
  /** The environment of the tests once the servers are up; rejects when they cannot be started. */
  readonly servers: Promise<NodeJS.ProcessEnv>;
}

/** How many files run at once: most of them wait most of the time. `TEST_JOBS` sets another number. */
function slotCount(environment: NodeJS.ProcessEnv = process.env): number {
  return Math.max(1, Number(environment['TEST_JOBS']) || availableParallelism() + 2);
}

/** Runs the files and counts. A process that hangs, crashes or reports nothing is one failure. */
export async function runFiles(files: readonly SpecFile[], options: RunOptions, run: TestRun): Promise<Outcome> {
  const runner = new Runner(files, options, run);
  await Promise.all(Array.from({ length: Math.min(slotCount(), files.length) }, () => runner.runSlot()));
  return runner.outcome;
}

class Runner {
  outcome: Outcome = NOTHING;
  readonly #schedule: Schedule;
  readonly #total: number;
  #ended = 0;
  #computing = 0;
  #environment: NodeJS.ProcessEnv | undefined;
  /** Resolves when the servers are up or have failed. */
  readonly #serversSettled: Promise<void>;

  constructor(
    files: readonly SpecFile[],
    private readonly options: RunOptions,
    private readonly run: TestRun,
  ) {
    this.#schedule = new Schedule(files);
    this.#total = files.length;
    this.#serversSettled = options.servers.then(
      (environment) => void (this.#environment = environment),
      (error: unknown) => {
        const dropped = this.#schedule.dropServed();
        if (dropped.length > 0) this.outcome = add(this.outcome, failed('the test servers', error));
      },
    );
  }

  async runSlot(): Promise<void> {
    let worker: WorkerProcess | undefined;
    while (!this.#schedule.isEmpty) {
      const file = this.#schedule.take(worker?.group, this.#computing === 0, this.#environment !== undefined);
      if (file === undefined) {
        // Only files that need the servers are left.
        await this.#serversSettled;
        continue;
      }
      this.#computing += file.group.isComputing ? 1 : 0;
      worker = await this.#runFile(file, worker);
      this.#computing -= file.group.isComputing ? 1 : 0;
    }
    await worker?.end();
  }

  /** Runs the file; answers the worker that ran it. */
  async #runFile(file: SpecFile, idle: WorkerProcess | undefined): Promise<WorkerProcess> {
    const startedAt = performance.now();
    const mochaArguments = ['--timeout', String(TEST_TIMEOUT_MS), ...this.options.mochaArguments];
    const worker = await this.#workerFor(file, idle);
    const end = await worker.run({ file: file.path, mochaArguments });
    this.#ended += 1;
    this.#report(file, end, performance.now() - startedAt);
    return worker;
  }

  /** The slot's worker when it can take the file, otherwise a new one in its place. */
  async #workerFor(file: SpecFile, worker: WorkerProcess | undefined): Promise<WorkerProcess> {
    if (worker?.isUsable === true && worker.group === file.group.name) return worker;
    await worker?.end();
    return new WorkerProcess(file.group.name, this.#environment ?? process.env, this.run);
  }

  /** One line for the file, then its failures; when verbose, its tests and what they wrote. */
  #report({ source, group }: SpecFile, { report, problem, output }: FileEnd, durationMs: number): void {
    const tests = report?.tests ?? [];
    const failures: FailedTest[] = tests.flatMap(({ title, error }) =>
      error === undefined ? [] : [{ file: source, title, error }],
    );
    if (problem !== undefined) failures.push({ file: source, title: problem, error: lastLines(output) });
    const skipped = tests.filter(({ isSkipped }) => isSkipped === true).length;
    const passed = tests.length - skipped - tests.filter(({ error }) => error !== undefined).length;
    this.outcome = add(this.outcome, { passed, failures });
    const counts = [`${passed} passed`, ...(failures.length > 0 ? [`${failures.length} failed`] : [])];
    if (skipped > 0) counts.push(`${skipped} skipped`);
    // With --grep, most files have nothing to run.
    if (tests.length + failures.length === 0) return;
    const place = String(this.#ended).padStart(String(this.#total).length);
    say(
      `${failures.length > 0 ? '✗' : '✓'} [${place}/${this.#total}] ${source}: ${counts.join(', ')} ` +
        `(${formatDuration(durationMs)}${usedOf(report?.processorMs)})`,
    );
    if (this.options.isVerbose) {
      for (const { title, ms, error, isSkipped } of tests)
        say(`    ${error === undefined ? (isSkipped ? '-' : '✓') : '✗'} ${title} (${formatDuration(ms)})`);
    }
    for (const { title, error } of failures) say(`  ✗ ${title}\n${indent(error)}`);
    const isShown = this.options.isVerbose || failures.length > 0 || group.name === 'judge';
    if (isShown && output.trim() !== '' && problem === undefined) say(indent(lastLines(output)));
  }
}

/** Where the time of a run goes: most of what takes long waits for a processor. */
function usedOf(processorMs: number | undefined): string {
  return processorMs === undefined ? '' : `, ${(processorMs / 1000).toFixed(1)} s of a processor`;
}

function lastLines(text: string): string {
  const lines = text.trimEnd().split('\n');
  return lines.slice(-SHOWN_OUTPUT_LINES).join('\n');
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
