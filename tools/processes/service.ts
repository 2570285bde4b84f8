// A process that has to stay up: started, waited for until it is ready, and restarted with a growing pause when it dies.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../bootstrap/failure.mjs';
import { formatDuration, say } from '../bootstrap/progress.mjs';
import { tailOf } from './log-tail.js';
import { startProcess } from './managed-process.js';
import type { ExitStatus, ManagedProcess, ProcessSpec } from './managed-process.js';
import type { ProcessRegistry } from './registry.js';

export interface ServiceSpec {
  readonly process: ProcessSpec;
  /** Whether it can be used now. Asked again and again; throwing means "not yet". */
  readonly isReady: () => Promise<boolean>;
  readonly readyTimeoutMs: number;
}

const READY_POLL_MS = 50;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
// A process that ran this long had recovered; its next death begins with the first pause again.
const STABLE_MS = 60_000;
const SHOWN_LOG_LINES = 8;

export class Service {
  readonly #spec: ServiceSpec;
  readonly #registry: ProcessRegistry;
  #process: ManagedProcess | undefined;
  #stopping = false;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(spec: ServiceSpec, registry: ProcessRegistry) {
    this.#spec = spec;
    this.#registry = registry;
  }

  get name(): string {
    return this.#spec.process.name;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts it and waits until it is ready; from then on it is kept up. Throws a {@link Failure} when it never becomes ready. */
  async start(): Promise<void> {
    const running = await this.#launch();
    this.#keepUp(running, Date.now());
  }

  /** Resolves once it can be used, also after a restart; throws a {@link Failure} when that takes longer. */
  async untilReady(timeoutMs: number): Promise<void> {
    for (const deadline = Date.now() + timeoutMs; !(await this.#askReady()); await sleep(READY_POLL_MS)) {
      if (Date.now() > deadline) throw this.#failure(`${this.name} was not ready within ${formatDuration(timeoutMs)}`);
    }
  }

  /** Stops it for good. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#process?.stop();
  }

  /** Kills it for good, at once. */
  kill(): void {
    this.#stopping = true;
    this.#process?.kill();
  }

  /** No longer keeps it up, and leaves it running. */
  abandon(): void {
    this.#stopping = true;
  }

  async #launch(): Promise<ManagedProcess> {
    const { process: processSpec, readyTimeoutMs } = this.#spec;
    if (this.#stopping) throw new Failure(`${this.name} was stopped before it was started`);
    const running = await startProcess(processSpec, this.#registry);
    this.#process = running;
    let ended: ExitStatus | undefined;
    void running.exited.then((status) => (ended = status));
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

  #keepUp(running: ManagedProcess, readySince: number): void {
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
        this.#keepUp(running, Date.now());
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

/** Ready when an HTTP GET answers 200; for {@link ServiceSpec.isReady}. */
export async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000), redirect: 'error' });
  await response.arrayBuffer();
  return response.status === 200;
}
