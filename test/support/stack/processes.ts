// The gateway's real processes for a test: simulator, worker and api from dist/, each of which can be killed and started again.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../../../config/project-root.js';

/** A machine that has much else to do takes its time. */
const READY_TIMEOUT_MS = 90_000;

export type ProcessName = 'simulator' | 'worker' | 'api';
/** Programs that run beside them: folders of dist/ with a main.js. */
export type ProgramName = ProcessName | 'bench/baseline';

/** One program of dist/ that a test starts, kills and starts again. */
export class TestProcess {
  private child: ChildProcess | null = null;

  constructor(
    readonly name: string,
    private readonly program: ProgramName,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly healthUrl: string,
    private readonly logFile: string,
  ) {}

  /** Starts it and waits until it says that it is ready. */
  async start(): Promise<void> {
    mkdirSync(join(this.logFile, '..'), { recursive: true });
    const log = openSync(this.logFile, 'a', 0o600);
    const main = join(projectRoot(), 'dist', this.program, 'main.js');
    this.child = spawn(process.execPath, ['--enable-source-maps', main], { env: { ...process.env, ...this.environment }, stdio: ['ignore', log, log] });
    closeSync(log);
    await this.ready();
  }

  /** SIGKILL, and waits until it is gone. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** SIGTERM, and waits until it has ended. Answers its exit code. */
  async stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill(signal);
    await gone;
    return child.exitCode;
  }

  private async ready(): Promise<void> {
    for (const deadline = Date.now() + READY_TIMEOUT_MS; Date.now() < deadline; await sleep(50)) {
      if (this.child?.exitCode !== null) break;
      const answer = await fetch(this.healthUrl, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
      if (answer?.ok === true) return;
    }
    throw new Error(`${this.name} did not become ready:\n${readFileSync(this.logFile, 'utf8').slice(-3_000)}`);
  }
}
