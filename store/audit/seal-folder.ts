// Seals of the audit trail in a folder outside the database: a file for each, written once. Whoever writes a file syncs
// it and its folder before the seal counts as exported.
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { readSeal, type SealExports, sealName, writeSeal } from './seal.js';

export function sealFolder(folder: string): SealExports {
  return {
    async read(number) {
      const text = await readFile(join(folder, sealName(number)), 'utf8').catch(unlessMissing);
      return text === null ? null : readSeal(text);
    },
    async write(seal) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeOnce(folder, sealName(seal.number), writeSeal(seal));
    },
  };
}

/** A link is made whole or not at all, and never over another file. */
async function writeOnce(folder: string, name: string, text: string): Promise<void> {
  const draft = join(folder, `.${name}.${randomUUID()}`);
  const file = await open(draft, 'wx', 0o400);
  try {
    await file.writeFile(text);
    await file.sync();
    await link(draft, join(folder, name)).catch(unlessThere);
  } finally {
    await file.close();
    await unlink(draft);
  }
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
