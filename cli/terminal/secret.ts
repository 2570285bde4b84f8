// Reads a secret: typed at a terminal, which does not show it, or the first line of standard input.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { refused } from '../problem.js';

const MOST_BYTES = 1_024;
const LONGEST_WAIT_MS = 5 * 60_000;

type Input = Pick<ReadStream, 'isTTY'> & NodeJS.ReadStream;

/** The reader of a process. What is typed is shown nowhere. */
export function secretReader(input: Input, screen: NodeJS.WritableStream) {
  return async (prompt: string): Promise<string> => {
    if (input.isTTY !== true) return firstLine(input);
    screen.write(prompt);
    const dark = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({ input, output: dark, terminal: true });
    try {
      return await lines.question('', { signal: AbortSignal.timeout(LONGEST_WAIT_MS) });
    } catch {
      throw refused('no code was typed');
    } finally {
      lines.close();
      screen.write('\n');
    }
  };
}

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.includes('\n') || text.length > MOST_BYTES) break;
  }
  return (text.split('\n')[0] ?? '').slice(0, MOST_BYTES);
}
