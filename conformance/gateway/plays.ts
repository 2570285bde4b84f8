// What the stand-in gateway answers: problems as the gateway words them, and the answers that a check sets for a
// player's next creations.
import type { PaymentObject } from './book.js';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What happens to one creation instead of the usual 201. */
export type Play =
  /** The payment is created, and the connection is cut before the answer. */
  | { readonly play: 'lose_the_answer' }
  /** The answer is 202 `created`: the instructions follow. */
  | { readonly play: 'accept_for_later' }
  /** Nothing is created; the answer is this problem. */
  | { readonly play: 'refuse'; readonly problem: ProblemAnswer }
  /** 409 with the payment that exists: created by this very request. */
  | { readonly play: 'say_it_exists' };

export interface ProblemAnswer {
  readonly status: number;
  readonly code: string;
  readonly retryable?: boolean;
  readonly retryAfterSeconds?: number;
  readonly errors?: readonly { readonly field: string; readonly reason: string; readonly message: string }[];
  readonly existing?: PaymentObject;
}

/** A play that refuses. */
export function refuse(status: number, code: string, more: Omit<ProblemAnswer, 'status' | 'code'> = {}): Play {
  return { play: 'refuse', problem: { status, code, ...more } };
}

/** The problem as an answer (RFC 9457). */
export function problemAnswer({ status, code, retryable, retryAfterSeconds, ...more }: ProblemAnswer): Answer {
  return {
    status,
    body: {
      type: `about:blank#${code}`,
      title: code,
      status,
      code,
      detail: 'Answered by the conformance kit.',
      retryable: retryable ?? (status === 429 || status >= 500),
      ...more,
    },
    headers: {
      'content-type': 'application/problem+json',
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    },
  };
}
