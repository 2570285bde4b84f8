// Files named on the command line: read with a bound, and every failure is one line that names the option.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { badInput } from '../problem.js';

/** The file's bytes. A missing, unreadable or too large file is a problem of `field`. */
export async function readBytes(field: string, path: string, mostBytes: number): Promise<Buffer> {
  const file = await open(path).catch((error: unknown) => {
    throw badInput(field, `"${path}" cannot be read (${codeOf(error)})`);
  });
  try {
    const buffer = Buffer.alloc(mostBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length <= mostBytes; length += read) {
      ({ bytesRead: read } = await file.read(buffer, length, buffer.length - length));
    }
    if (length > mostBytes) throw badInput(field, `"${path}" is larger than ${mostBytes} bytes`);
    return buffer.subarray(0, length);
  } catch (error) {
    throw error instanceof Error && 'code' in error
      ? badInput(field, `"${path}" cannot be read (${codeOf(error)})`)
      : error;
  } finally {
    await file.close();
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
}

/** A problem names the option of a folder that this user may not write into, or may not make. Makes nothing. */
export function assertWritableFolder(option: string, folder: string): void {
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    if (!statSync(existing).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    accessSync(existing, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw badInput(option, `${folder} cannot be written by this user (${codeOf(error)})`);
  }
}
