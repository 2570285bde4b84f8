// The Temporal SDK's own download of a server. It is given up when nothing arrives for a while.
import { spawn } from 'node:child_process';
import { readdirSync, renameSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

export type SdkServerKind = 'dev-server' | 'time-skipping';

// Without a network it fails at once or hangs. A slow download may take as long as bytes arrive.
const STALLED_MS = 20_000;
const POLL_MS = 500;

/**
 * Lets the SDK download a server into `folder` as `executable`.
 * @returns why it could not; undefined when it is there
 */
export async function downloadWithSdk(
  kind: SdkServerKind,
  folder: string,
  executable: string,
): Promise<string | undefined> {
  const problem = await runDownload(kind, folder);
  if (problem !== undefined) return problem;
  const downloaded = readdirSync(folder).find((name) => name.includes('temporal') && !name.endsWith('.downloading'));
  if (downloaded === undefined) return 'it left no file';
  renameSync(join(folder, downloaded), join(folder, executable));
  return undefined;
}

async function runDownload(kind: SdkServerKind, folder: string): Promise<string | undefined> {
  const script = join(import.meta.dirname, `sdk-download-child${extname(import.meta.filename)}`);
  const child = spawn(process.execPath, [...process.execArgv, script, kind, folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-4_000)));
  return new Promise((resolve) => {
    const stopWatching = killWhenStalled(folder, () => child.kill('SIGKILL'));
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => {
      stopWatching();
      if (code === 0) resolve(undefined);
      else resolve(signal === null ? firstErrorLine(errors) : `nothing arrived for ${STALLED_MS / 1_000} s`);
    });
  });
}

function killWhenStalled(folder: string, kill: () => void): () => void {
  let lastSize = 0;
  let lastChangeAt = Date.now();
  const timer = setInterval(() => {
    const size = sizeOf(folder);
    if (size !== lastSize) {
      lastSize = size;
      lastChangeAt = Date.now();
    } else if (Date.now() - lastChangeAt > STALLED_MS) {
      kill();
    }
  }, POLL_MS);
  return () => clearInterval(timer);
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function firstErrorLine(text: string): string {
  const line = text.split('\n').find((candidate) => /error/i.test(candidate)) ?? text.trim().split('\n')[0] ?? '';
  return line.trim().slice(0, 200) || 'it failed without a message';
}
