// The gateway's real processes for a test: simulator, worker and api from dist/, each of which can be killed and started again.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../../platform/config/project-root.js';
import { type ExitStatus, type ManagedProcess, startProcess } from '../processes/managed-process.js';
import type { ProcessRegistry } from '../processes/registry.js';

/** A machine that has much else to do takes its time. */
const READY_TIMEOUT_MS = 90_000;
/** Longer than any of the programs gives itself. */
const STOP_TIMEOUT_MS = 60_000;

export type ProcessName = 'simulator' | 'worker' | 'api';
/** Programs that run beside them: folders of dist/ with a main.js. */
export type ProgramName = 'api' | 'worker' | 'sandbox/simulator' | 'sandbox/demo-operator' | 'tools/bench/baseline';

/** One program of dist/ that a test starts, kills and starts again. Nothing of it outlives the test's process. */
export class TestProcess {
  private running: ManagedProcess | null = null;
  private ended: ExitStatus | null = null;

  constructor(
    readonly name: string,
    private readonly program: ProgramName,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly healthUrl: string,
    private readonly logFile: string,
    private readonly registry: ProcessRegistry,
  ) {}

  /** While it runs. */
  get pid(): number | null {
    return this.ended === null ? (this.running?.pid ?? null) : null;
  }

  /** Starts it and waits until it says that it is ready. */
  async start(): Promise<void> {
    const main = join(projectRoot(), 'dist', this.program, 'main.js');
    this.running = await startProcess(
      {
        name: this.name,
        command: process.execPath,
        args: ['--enable-source-maps', main],
        env: { ...process.env, ...this.environment },
        cwd: dirname(this.logFile),
        logFile: this.logFile,
        stopSignal: 'SIGTERM',
        stopTimeoutMs: STOP_TIMEOUT_MS,
      },
      this.registry,
    );
    this.ended = null;
    void this.running.exited.then((status) => (this.ended = status));
    await this.ready();
  }

  /** SIGKILL, and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.ended === null) this.running?.kill();
    await this.running?.exited;
  }

  /** SIGTERM, and waits until it has ended. Answers its exit code. */
  async stop(): Promise<number | null> {
    if (this.ended === null) await this.running?.stop();
    return (await this.running?.exited)?.code ?? null;
  }

  /** What it has written so far. */
  log(): string {
    return readFileSync(this.logFile, 'utf8');
  }

  private async ready(): Promise<void> {
    for (
      const deadline = Date.now() + READY_TIMEOUT_MS;
      Date.now() < deadline && this.ended === null;
      await sleep(50)
    ) {
      const answer = await fetch(this.healthUrl, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
      if (answer?.ok === true) return;
    }
    throw new Error(`${this.name} did not become ready:\n${readFileSync(this.logFile, 'utf8').slice(-3_000)}`);
  }
}
