// Runs shell commands in the copied project, bounded in time, with everything they print in a log.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  /** The last lines of both outputs. */
  readonly tail: string;
}

const TIMEOUT_MS = 15 * 60_000;
const TAIL_LINES = 6;
/** Docker's own networks reach no registry where the engine is our own; a build gets the machine's. */
const BUILD_ON_MACHINES_NETWORK =
  'docker() { if [ "$1" = build ]; then shift; command docker build --network host "$@"; else command docker ' +
  '"$@"; fi; }\n';

export class Shell {
  constructor(
    readonly folder: string,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly logFile: string,
  ) {
    mkdirSync(dirname(logFile), { recursive: true });
    writeFileSync(logFile, '');
  }

  /** Runs a script with `bash -eu -o pipefail`; `quiet`: no prompt in the log. Never throws. */
  run(script: string, { quiet = false }: { quiet?: boolean } = {}): Promise<Ran> {
    if (!quiet) appendFileSync(this.logFile, `\n$ ${script}\n`);
    return new Promise((resolve) => {
      const child = spawn('bash', ['-eu', '-o', 'pipefail', '-c', BUILD_ON_MACHINES_NETWORK + script], {
        cwd: this.folder,
        env: this.environment,
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: TIMEOUT_MS,
      });
      let [stdout, both] = ['', ''];
      child.stdout.on('data', (data: Buffer) => {
        stdout += data.toString();
      });
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (data: Buffer) => {
          both = (both + data.toString()).slice(-20_000);
          appendFileSync(this.logFile, data);
        });
      }
      child.once('close', (code) =>
        resolve({ code: code ?? 1, stdout, tail: both.trim().split('\n').slice(-TAIL_LINES).join(' | ') }),
      );
    });
  }

  /** The same; throws an Error with the last lines unless it ended with 0. Answers standard output. */
  async must(script: string): Promise<string> {
    const { code, stdout, tail } = await this.run(script);
    if (code !== 0) throw new Error(`exit code ${code}: ${tail}`);
    return stdout;
  }
}
