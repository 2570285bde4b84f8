// The end of a log file, for messages about a process that failed.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const READ_BYTES = 16_384;

/** The last lines of a file, indented; empty when it cannot be read. */
export function tailOf(file: string, lines: number): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.alloc(Math.min(size, READ_BYTES));
    readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    return buffer
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .slice(-lines)
      .map((line) => `    ${line}`)
      .join('\n');
  } finally {
    closeSync(descriptor);
  }
}
