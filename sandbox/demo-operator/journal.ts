// An append-only file of JSON lines. A record is on disk before anything acts on it.
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { recordSchema } from './records.js';
import type { LedgerRecord } from './records.js';

export interface Journal {
  /** What was in the file when it was opened. */
  readonly records: readonly LedgerRecord[];
  /** Returns once the record is on the disk. Throws if it could not be written: then nothing may be acknowledged. */
  append(record: LedgerRecord): void;
  close(): void;
}

/**
 * Opens the file, made with its folder if absent. A last line without its line feed is a write that a crash cut short:
 * it was never acknowledged and is removed. Any other unreadable line throws an Error naming file and line.
 */
export function openJournal(path: string): Journal {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const records = whole
    .split('\n')
    .slice(0, -1)
    .map((line, index) => parseLine(line, `${path}:${index + 1}`));

  const file = openSync(path, 'a', 0o600);
  let length = Buffer.byteLength(whole, 'utf8');
  ftruncateSync(file, length);
  return {
    records,
    append(record) {
      // Checked on the way in: a record that could not be read again would keep the operator from ever starting.
      const bytes = Buffer.from(`${JSON.stringify(recordSchema.parse(record))}\n`, 'utf8');
      try {
        if (writeSync(file, bytes) !== bytes.length) throw new Error(`${path}: the record was written in part only`);
        fdatasyncSync(file);
      } catch (error) {
        // A torn line in the middle would make the file permanently unreadable.
        ftruncateSync(file, length);
        throw error;
      }
      length += bytes.length;
    },
    close: () => closeSync(file),
  };
}

function parseLine(line: string, where: string): LedgerRecord {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error(`${where}: not a JSON line`);
  }
  const parsed = recordSchema.safeParse(value);
  if (!parsed.success)
    throw new Error(`${where}: not a record of this operator (${parsed.error.issues[0]?.message ?? 'unknown'})`);
  return parsed.data;
}
