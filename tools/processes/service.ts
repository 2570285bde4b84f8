// Supervises one process: starts it, waits until it is ready, restarts it with growing pauses when it dies, and ends it.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../bootstrap/failure.mjs';
import { formatDuration, say } from '../bootstrap/progress.mjs';
import { tailOf } from './log-tail.js';
import { startProcess } from './managed-process.js';
import type { ExitStatus, ManagedProcess, ProcessSpec } from './managed-process.js';
import type { ProcessRegistry } from './registry.js';

export interface ServiceSpec {
  readonly process: ProcessSpec;
  /** Whether the process can be used now. Polled; an exception means "not yet". */
  readonly isReady: () => Promise<boolean>;
  readonly readyTimeoutMs: number;
  /** Whether the process is started again when it dies. Default: yes. */
  readonly restarts?: boolean;
}

const READY_POLL_MS = 50;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
// After running this long a process counts as recovered, and its next restart waits for the first pause again.
const STABLE_MS = 60_000;
const SHOWN_LOG_LINES = 20;

export class Service {
  readonly #spec: ServiceSpec;
  readonly #registry: ProcessRegistry;
  #process: ManagedProcess | undefined;
  #variables: Readonly<Record<string, string>> = {};
  #isRunning = false;
  #stopping = false;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(spec: ServiceSpec, registry: ProcessRegistry) {
    this.#spec = spec;
    this.#registry = registry;
  }

  get name(): string {
    return this.#spec.process.name;
  }

  /** Of the running process; undefined when none runs. */
  get pid(): number | undefined {
    return this.#isRunning ? this.#process?.pid : undefined;
  }

  /**
   * Starts it and waits until it is ready. Can be called again after `stop` or `kill`.
   * Throws a {@link Failure} when it does not become ready.
   * @param variables environment variables in addition to the specification's, for this start and its restarts
   */
  async start(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    // A service that was stopped before its first start stays stopped.
    if (this.#process !== undefined) this.#stopping = false;
    this.#variables = variables;
    const running = await this.#launch();
    if (this.#spec.restarts ?? true) this.#restartWhenItDies(running, Date.now());
  }

  /** Resolves when it can be used, also after a restart. Throws a {@link Failure} when that takes longer than the timeout. */
  async untilReady(timeoutMs: number): Promise<void> {
    for (const deadline = Date.now() + timeoutMs; !(await this.#askReady()); await sleep(READY_POLL_MS)) {
      if (Date.now() > deadline) throw this.#failure(`${this.name} was not ready within ${formatDuration(timeoutMs)}`);
    }
  }

  /**
   * Ends it with its stop signal and does not restart it.
   * @returns its exit code; null when a signal ended it or it never ran
   */
  async stop(): Promise<number | null> {
    this.#stopping = true;
    if (this.#isRunning) await this.#process?.stop();
    return (await this.#process?.exited)?.code ?? null;
  }

  /** SIGKILL to its group, without a restart. Resolves when it is gone. */
  async kill(): Promise<void> {
    this.#stopping = true;
    if (this.#isRunning) this.#process?.kill();
    await this.#process?.exited;
  }

  /** SIGKILL to its group, as a crash would end it: it is restarted. */
  crash(): void {
    if (this.#isRunning) this.#process?.kill();
  }

  /** Ends the supervision and leaves the process running. */
  abandon(): void {
    this.#stopping = true;
  }

  /** Its log so far, over all starts. */
  log(): string {
    return readFileSync(this.#spec.process.logFile, 'utf8');
  }

  async #launch(): Promise<ManagedProcess> {
    const { process: spec, readyTimeoutMs } = this.#spec;
    if (this.#stopping) throw new Failure(`${this.name} was stopped before it was started`);
    const running = await startProcess({ ...spec, env: { ...spec.env, ...this.#variables } }, this.#registry);
    this.#process = running;
    this.#isRunning = true;
    let ended: ExitStatus | undefined;
    void running.exited.then((status) => {
      ended = status;
      this.#isRunning = false;
    });
    const deadline = Date.now() + readyTimeoutMs;
    for (;;) {
      if (ended !== undefined) throw this.#failure(`${this.name} ended while starting (${describeExit(ended)})`);
      if (await this.#askReady()) return running;
      if (Date.now() > deadline) {
        await running.stop();
        throw this.#failure(`${this.name} was not ready within ${formatDuration(readyTimeoutMs)}`);
      }
      await sleep(READY_POLL_MS);
    }
  }

  async #askReady(): Promise<boolean> {
    try {
      return await this.#spec.isReady();
    } catch {
      return false;
    }
  }

  #restartWhenItDies(running: ManagedProcess, readySince: number): void {
    void running.exited.then((status) => {
      if (this.#stopping) return;
      const { logFile } = this.#spec.process;
      say(
        `\n! ${this.name} died (${describeExit(status)}). The end of ${logFile}:\n${tailOf(logFile, SHOWN_LOG_LINES)}`,
      );
      if (Date.now() - readySince > STABLE_MS) this.#pauseMs = FIRST_PAUSE_MS;
      return this.#restart();
    });
  }

  async #restart(): Promise<void> {
    while (!this.#stopping) {
      say(`  · starting ${this.name} again in ${formatDuration(this.#pauseMs)} …`);
      await sleep(this.#pauseMs, undefined, { ref: false });
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
      if (this.#stopping) return;
      try {
        const running = await this.#launch();
        say(`  ✓ ${this.name} is up again (process ${running.pid})`);
        this.#restartWhenItDies(running, Date.now());
        return;
      } catch (error) {
        if (!this.#stopping) say(`  ✗ ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }

  #failure(what: string): Failure {
    const { logFile } = this.#spec.process;
    return new Failure(`${what}. The end of its log:\n${tailOf(logFile, SHOWN_LOG_LINES)}`, logFile);
  }
}

function describeExit({ code, signal }: ExitStatus): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

/** Whether an HTTP GET answers 200; for {@link ServiceSpec.isReady}. */
export async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000), redirect: 'error' });
  await response.arrayBuffer();
  return response.status === 200;
}
