// pypix-api, a client of API Pix that we did not write, as a process that takes orders.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { inRoot } from '../../../tools/bootstrap/root.mjs';

export const PYPIX_API = { name: 'pypix-api', requirements: 'test/judge/pypix-api/requirements.txt' } as const;

export interface PypixBank {
  /** Its module and class: `sicredi.SicrediPixAPI`. */
  readonly bank: string;
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  /** Empty: the client has none. */
  readonly clientSecret: string;
}

/** The client's own exception, by its class. */
export interface Refused {
  readonly class: string;
  readonly status: number | null;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
}

export interface PypixClient {
  /** What a method of the client answers; a refusal is thrown. */
  call(method: string, ...args: readonly unknown[]): Promise<Record<string, unknown>>;
  /** The refusal of what must be refused. */
  refusal(method: string, ...args: readonly unknown[]): Promise<Refused>;
  close(): void;
}

type Answered = { readonly answer: Record<string, unknown> } | { readonly refused: Refused };

/** @param python one that has pypix-api */
export function startPypix(
  python: string,
  { bank, baseUrl, tokenUrl, clientId, clientSecret }: PypixBank,
): PypixClient {
  const process = spawn(python, [
    ...['-u', inRoot('test', 'judge', 'pypix-api', 'drive.py')],
    ...[bank, baseUrl, tokenUrl, clientId, clientSecret],
  ]);
  const ask = asking(process);
  return {
    async call(method, ...args) {
      const answered = await ask({ call: method, args });
      if ('answer' in answered) return answered.answer;
      throw new Error(`${method}: ${JSON.stringify(answered.refused)}`);
    },
    async refusal(method, ...args) {
      const answered = await ask({ call: method, args });
      if ('refused' in answered) return answered.refused;
      throw new Error(`${method} was not refused: ${JSON.stringify(answered.answer)}`);
    },
    close: () => process.kill('SIGKILL'),
  };
}

/** One order at a time. What the program writes when it fails is the error. */
function asking(process: ChildProcessWithoutNullStreams): (order: object) => Promise<Answered> {
  const answers = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  let complaints = '';
  process.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  return async (order) => {
    process.stdin.write(`${JSON.stringify(order)}\n`);
    const { done, value } = await answers.next();
    if (done === true) throw new Error(`pypix-api ended: ${complaints}`);
    return JSON.parse(value) as Answered;
  };
}
