// The operator's side of the kit: five small calls that the operator answers so that the kit can drive its program.
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import type { Money, Player } from '../../client/index.js';

export interface AdapterCredentials {
  readonly base_url: string;
  readonly key_id: string;
  readonly secret: string;
  readonly webhook_secret: string;
}

export interface AdapterOrder {
  readonly player: Player;
  readonly amount: Money;
  /** For a withdrawal. */
  readonly destination?: { readonly pix: { readonly key_type: 'cpf'; readonly key: string } };
}

/** What the operator answers, each within `TIMEOUT_MS`. Every failure is an {@link AdapterError}. */
export interface Adapter {
  /** `PUT /credentials`: the program uses these from now on. */
  useCredentials(credentials: AdapterCredentials): Promise<void>;
  /** `POST /deposits`, `POST /withdrawals`: the program begins one, as if the player had asked. */
  begin(kind: 'deposit' | 'withdrawal', order: AdapterOrder): Promise<void>;
  /** `GET /players/{external_ref}`: what the player may spend, in minor units; 404 is "0". */
  available(playerRef: string): Promise<string>;
  /** `POST /reconciliations`: whether the day agrees with the operator's records; null if the operator has no such call. */
  reconcile(date: string, currency: string): Promise<boolean | null>;
}

/** The adapter did not do its part; its message is for the operator. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError';
}

const TIMEOUT_MS = 90_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const ATTEMPTS = 3;
const PAUSE_MS = 250;

const balanceSchema = z.object({ available: z.string().regex(/^-?(0|[1-9][0-9]{0,37})$/) });
const reconciledSchema = z.object({ agrees: z.boolean() });

/** Calls the adapter at `url`. */
export function openAdapter(url: string): Adapter {
  const base = url.replace(/\/+$/, '');

  async function call(
    method: 'GET' | 'PUT' | 'POST',
    path: string,
    body?: unknown,
  ): Promise<{ status: number; text: string }> {
    const answer = await request(`${base}${path}`, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    return { status: answer.statusCode, text: await boundedText(answer.body) };
  }

  /** Reads are repeated; nothing else is: the kit must not begin a payment twice. */
  async function read(path: string): Promise<{ status: number; text: string }> {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await call('GET', path).catch((error: unknown) => error);
      if (attempt >= ATTEMPTS || isAnswer(outcome)) return checked('GET', path, outcome);
      await sleep(PAUSE_MS);
    }
  }

  async function send(method: 'PUT' | 'POST', path: string, body: unknown): Promise<{ status: number; text: string }> {
    return checked(method, path, await call(method, path, body).catch((error: unknown) => error));
  }

  return {
    useCredentials: async (credentials) =>
      void accepted('PUT /credentials', await send('PUT', '/credentials', credentials)),
    begin: async (kind, order) => void accepted(`POST /${kind}s`, await send('POST', `/${kind}s`, order)),
    async available(playerRef) {
      const answer = await read(`/players/${encodeURIComponent(playerRef)}`);
      if (answer.status === 404) return '0';
      return parsed('GET /players/{external_ref}', balanceSchema, answer).available;
    },
    async reconcile(date, currency) {
      const answer = await send('POST', '/reconciliations', { date, currency });
      return answer.status === 404 ? null : parsed('POST /reconciliations', reconciledSchema, answer).agrees;
    },
  };
}

function isAnswer(outcome: unknown): outcome is { status: number; text: string } {
  return typeof outcome === 'object' && outcome !== null && 'status' in outcome && 'text' in outcome;
}

function checked(method: string, path: string, outcome: unknown): { status: number; text: string } {
  if (isAnswer(outcome)) return outcome;
  const cause = outcome instanceof Error ? outcome.message : 'no answer';
  throw new AdapterError(`the adapter did not answer ${method} ${path}: ${cause}`);
}

function accepted(what: string, { status, text }: { status: number; text: string }): string {
  if (status < 200 || status > 299) throw new AdapterError(`the adapter answered ${status} to ${what}`);
  return text;
}

function parsed<Value>(what: string, schema: z.ZodType<Value>, answer: { status: number; text: string }): Value {
  const text = accepted(what, answer);
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new AdapterError(`the adapter's answer to ${what} has not the agreed form`);
  }
}

async function boundedText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`an answer of more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
