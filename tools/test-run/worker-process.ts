// The parent's side of a worker process: starts it, gives it files, and ends it with everything that its tests started.
import { type ChildProcess, fork } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { formatDuration } from '../bootstrap/progress.mjs';
import { inRoot } from '../bootstrap/root.mjs';
import { trySignal } from '../processes/registry.js';
import type { TestRun } from '../servers/test-servers.js';
import type { FileReport, RunFile } from './messages.js';

const FILE_TIMEOUT_MS = 10 * 60_000;
/** Tests run workflows as the worker does. */
const ADAPTED_SDK = pathToFileURL(inRoot('dist', 'worker', 'adapted-sdk.js')).href;

/** What became of a file: the worker's report, or why there is none. */
export interface FileEnd {
  readonly report?: FileReport;
  readonly problem?: string;
  /** What the file's tests wrote to standard output and error. */
  readonly output: string;
}

/** A worker process. One file at a time. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #pid: number;
  readonly #exited: Promise<number | null>;
  #output: string[] = [];
  #hasExited = false;
  /** False once the process has ended or must not be given another file. */
  isUsable = true;

  constructor(
    readonly group: string,
    environment: NodeJS.ProcessEnv,
    run: Pick<TestRun, 'registry' | 'onClose'>,
  ) {
    this.#child = fork(inRoot('dist', 'tools', 'test-run', 'worker.js'), {
      cwd: inRoot(),
      env: environment,
      execArgv: ['--enable-source-maps', '--import', ADAPTED_SDK],
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('a test worker cannot be started');
    this.#pid = pid;
    run.registry.add(pid, `the ${group} tests`, 'SIGKILL');
    run.onClose(async () => this.end());
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => void this.#output.push(text));
    }
    this.#exited = new Promise((resolve) => this.#child.once('exit', (code) => resolve(code)));
    void this.#exited.then(() => {
      this.isUsable = false;
      this.#hasExited = true;
      // Whatever its tests started in its process group and did not end.
      trySignal(-pid, 'SIGKILL');
      run.registry.remove(pid);
    });
  }

  /** Runs a compiled spec file. Never rejects: a process that hangs or dies is a problem of the file. */
  async run(message: RunFile): Promise<FileEnd> {
    this.#output = [];
    let timer: NodeJS.Timeout | undefined;
    const end = await Promise.race([
      new Promise<FileReport>((resolve) => this.#child.once('message', (report) => resolve(report as FileReport))),
      this.#exited.then((code) => `ended without a result (exit code ${code})`),
      new Promise<string>((resolve) => {
        timer = setTimeout(() => resolve(`did not end within ${formatDuration(FILE_TIMEOUT_MS)}`), FILE_TIMEOUT_MS);
      }),
      new Promise<string>((resolve) => {
        this.#child.send(message, (error) => error && resolve(`could not be given to its process: ${error.message}`));
      }),
    ]);
    clearTimeout(timer);
    const output = () => this.#output.join('');
    if (typeof end !== 'string') return { report: end, output: output() };
    await this.end();
    return { problem: end, output: output() };
  }

  /** Ends the process and its process group. */
  async end(): Promise<void> {
    this.isUsable = false;
    // The number of an ended process may be another's by now.
    if (!this.#hasExited) trySignal(-this.#pid, 'SIGKILL');
    await this.#exited;
  }
}
