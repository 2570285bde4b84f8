// The key files of a deployment's processes: one folder for each kind, so that a container mounts its own and no other.
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HeldKey, type KeyHolder, keyVariables, PURPOSES_OF } from '../store/sealing/keys.js';

/** The name of the file in each folder. */
export const KEY_FILE = 'gateway.keys';

export interface WrittenKeyFile {
  readonly process: KeyHolder;
  readonly file: string;
  readonly purposes: readonly string[];
}

/** The content of a key file: `NAME=value`, a line each. */
export function linesOf(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Writes `<folder>/<process>/gateway.keys` for every kind of process, readable by its owner only. */
export function writeKeyFiles(folder: string, whole: readonly HeldKey[], hashKey: Buffer): WrittenKeyFile[] {
  return (Object.keys(PURPOSES_OF) as KeyHolder[]).map((process) => {
    const file = join(folder, process, KEY_FILE);
    mkdirSync(join(folder, process), { recursive: true, mode: 0o700 });
    // To a temporary file first: a process that starts now finds the old file or the new one, complete.
    writeFileSync(`${file}.new`, linesOf(keyVariables(PURPOSES_OF[process], whole, hashKey)), { mode: 0o600 });
    chmodSync(`${file}.new`, 0o600);
    renameSync(`${file}.new`, file);
    return { process, file, purposes: PURPOSES_OF[process] };
  });
}
