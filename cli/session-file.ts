// The file that keeps a person's session between commands: their proof, readable by them alone.
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { refused } from './problem.js';

const MODE = 0o600;

/** The session's token; `null` if no one is signed in here. Refuses a file that others may read. */
export async function readSessionFile(path: string): Promise<string | null> {
  let mode: number;
  try {
    ({ mode } = await stat(path));
  } catch {
    return null;
  }
  if ((mode & 0o077) !== 0) throw refused(`${path}: others may read it; remove it and sign in again`);
  const token = (await readFile(path, 'utf8')).trim();
  return token === '' ? null : token;
}

export async function writeSessionFile(path: string, token: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${token}\n`, { mode: MODE });
  // An existing file keeps its mode.
  await chmod(path, MODE);
}

export async function removeSessionFile(path: string): Promise<void> {
  await rm(path, { force: true });
}
