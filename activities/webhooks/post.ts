// One POST to somebody outside: to an address that is allowed, limited in time and size.
import { type Dispatcher, request } from 'undici';
import { assertAllowedTarget, type EgressRules, ForbiddenTargetError } from './egress.js';

/** What came of an attempt. */
export type Answer =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'failed'; readonly status: number | null; readonly reason: string };

/** An attempt without an answer in this time has failed. */
export const ANSWER_LIMIT_MS = 10_000;

export interface Egress {
  readonly agent: Dispatcher;
  readonly rules: EgressRules;
}

/** Sends the body, JSON. Never throws for the receiver's fault; every 2xx is an acceptance. */
export async function post(
  { agent, rules }: Egress,
  { url, headers, body }: { readonly url: string; readonly headers: Record<string, string>; readonly body: Uint8Array },
): Promise<Answer> {
  const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
  try {
    await assertAllowedTarget(new URL(url), rules, signal);
    const response = await request(url, {
      method: 'POST',
      dispatcher: agent,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'User-Agent': 'operator-payments-gateway',
        ...headers,
      },
      body,
      signal,
    });
    // The status is the answer. The body is only read so that the connection can be reused.
    response.body.on('error', () => undefined);
    void response.body.dump({ limit: 16 * 1024, signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    if (response.statusCode >= 200 && response.statusCode < 300)
      return { kind: 'delivered', status: response.statusCode };
    return { kind: 'failed', status: response.statusCode, reason: `answered ${response.statusCode}` };
  } catch (error) {
    return { kind: 'failed', status: null, reason: failureReason(error) };
  }
}

/** A short code for the log, never a message: that could contain the target's text. */
export function failureReason(error: unknown): string {
  if (error instanceof ForbiddenTargetError) return 'forbidden_target';
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout';
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code.toLowerCase() : 'connection_failed';
}
