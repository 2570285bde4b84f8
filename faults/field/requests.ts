// Signed requests as an operator's own program would send them: one try each, with the raw text of the answer.
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'undici';
import { signatureHeaders, type SigningKey } from '../../client/signing.js';

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
const agent = new Agent({ connections: 256, pipelining: 1, keepAliveTimeout: 1_000, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, connect: { timeout: 5_000 } });

/** Null: no answer came, and nothing is known. */
export async function callOnce(port: number, key: SigningKey, call: Call): Promise<Answer | null> {
  const body = Buffer.from(call.body ?? '', 'utf8');
  const input = { method: call.method, target: call.target, body, timestampSeconds: Math.floor(Date.now() / 1_000), nonce: randomBytes(16).toString('hex') };
  try {
    const answer = await request(`http://127.0.0.1:${port}${call.target}`, {
      dispatcher: agent,
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
    return { status: answer.statusCode, headers: answer.headers, text, replayed: answer.headers['idempotent-replayed'] === 'true' };
  } catch {
    return null;
  }
}

/** Whether the answer decides: anything else is repeated with the same key. */
export function isDecision(answer: Answer | null): answer is Answer {
  if (answer === null || answer.status >= 500 || answer.status === 429) return false;
  return !(answer.status === 409 && answer.text.includes('"idempotency_in_progress"'));
}
