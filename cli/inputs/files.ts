// Reads files named on the command line, up to a size. Every failure is one line that names the option.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { badInput } from '../problem.js';

/** The file's bytes. Throws a CommandProblem for a missing, unreadable or too large file. */
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

/** Throws a CommandProblem if this user may not write into the folder, or not create it. Creates nothing. */
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
