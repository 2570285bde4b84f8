// Signed requests as an operator's own program would send them: one try each, with the raw text of the answer.
import { randomBytes } from 'node:crypto';
import { Agent, type Dispatcher, request } from 'undici';
import { signatureHeaders, type SigningKey } from '../../../client/signing.js';

export interface Call {
  readonly method: 'GET' | 'POST';
  /** With /v1 and the query. */
  readonly target: string;
  readonly body?: string;
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long this client waits. */
  readonly timeoutMs?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly replayed: boolean;
}

/** Longer than the contract's longest answer, so that a late answer is an answer. */
const TIMEOUT_MS = 12_000;
/** Where an operator's program sends its requests. */
export interface Entrance {
  readonly origin: string;
  readonly dispatcher: Dispatcher;
}

/** With these PEM texts, for an entrance that demands a client certificate. */
export function openAgent(tls: { readonly ca?: string; readonly cert?: string; readonly key?: string } = {}): Agent {
  return new Agent({
    connections: 256,
    pipelining: 1,
    keepAliveTimeout: 1_000,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    connect: { timeout: 5_000, ...tls },
  });
}

const plain = openAgent();

/** A port of this machine that takes requests as they are. */
export function plainly(port: number): Entrance {
  return { origin: `http://127.0.0.1:${port}`, dispatcher: plain };
}

/** Null: no answer came, and nothing is known. */
export async function callOnce({ origin, dispatcher }: Entrance, key: SigningKey, call: Call): Promise<Answer | null> {
  const body = Buffer.from(call.body ?? '', 'utf8');
  const input = {
    method: call.method,
    target: call.target,
    body,
    timestampSeconds: Math.floor(Date.now() / 1_000),
    nonce: randomBytes(16).toString('hex'),
  };
  try {
    const answer = await request(`${origin}${call.target}`, {
      dispatcher,
      method: call.method,
      headers: {
        ...signatureHeaders(key, input),
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
        ...call.headers,
      },
      ...(call.method === 'POST' ? { body } : {}),
      headersTimeout: call.timeoutMs ?? TIMEOUT_MS,
      signal: AbortSignal.timeout(call.timeoutMs ?? TIMEOUT_MS),
    });
    const text = await answer.body.text();
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      replayed: answer.headers['idempotent-replayed'] === 'true',
    };
  } catch {
    return null;
  }
}

/** Whether the answer decides: anything else is repeated with the same key. */
export function isDecision(answer: Answer | null): answer is Answer {
  if (answer === null || answer.status >= 500 || answer.status === 429) return false;
  return !(answer.status === 409 && answer.text.includes('"idempotency_in_progress"'));
}
