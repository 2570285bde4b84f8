// Keeps the simulator's state over restarts: one JSON line for every change, replayed at the start.
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface Journal<Entry> {
  /** Written before it returns (not forced to disk: the simulator survives its own end, not the machine's). */
  append(entry: Entry): void;
  close(): void;
}

const FILE_NAME = 'simulator.jsonl';

/** Opens the journal in a folder (made if absent) and hands every earlier entry to `replay`, in order. */
export function openJournal<Entry>(folder: string, replay: (entry: Entry) => void): Journal<Entry> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = openSync(join(folder, FILE_NAME), 'a+', 0o600);
  const text = readFileSync(file, 'utf8');
  // A process that was killed in the middle of a line leaves a torn one behind: that change never counted.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) ftruncateSync(file, Buffer.byteLength(whole));
  whole.split('\n').forEach((line, index) => {
    if (line !== '') replay(parseLine<Entry>(line, index + 1, folder));
  });
  return {
    append: (entry) => void writeSync(file, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(file),
  };
}

function parseLine<Entry>(line: string, number: number, folder: string): Entry {
  try {
    return JSON.parse(line) as Entry;
  } catch {
    throw new Error(`${join(folder, FILE_NAME)}: line ${number} is no JSON; move the file away to begin anew`);
  }
}
