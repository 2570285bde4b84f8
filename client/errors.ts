// The two ways in which a call to the gateway can fail: a refusal, and no usable answer.
import type { FieldError, Problem } from './types.js';
import type { Verdict } from './verdicts.js';

/** The fields of a problem. An answer that is not the gateway's own has fewer. */
export type ReceivedProblem = Pick<Problem, 'status' | 'code'> & Partial<Problem>;

/** A problem answer. Decide by `verdict` and `code`; `message` is for people. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /**
   * The stable code, or `unrecognised_answer` when the body was not a problem of the gateway (an edge proxy's page,
   * say).
   */
  readonly code: string;
  readonly retryable: boolean;
  readonly errors: readonly FieldError[];
  readonly existing: Problem['existing'];
  readonly traceId: string | null;
  readonly retryAfterSeconds: number | null;
  /** What the answer means for the payment, by its code and the kind of the endpoint. */
  readonly verdict: Verdict;

  constructor(answer: {
    request: string;
    problem: ReceivedProblem;
    traceId: string | null;
    retryAfterSeconds: number | null;
    verdict: Verdict;
  }) {
    const { problem } = answer;
    const fields = (problem.errors ?? []).map((error) => `${error.field}: ${error.reason}`).join(', ');
    super(
      `${answer.request}: ${problem.status} ` +
        `${problem.code}${fields ? ` (${fields})` : ''}${answer.traceId ? `, trace ${answer.traceId}` : ''}`,
    );
    this.status = problem.status;
    this.code = problem.code;
    this.retryable = problem.retryable ?? (problem.status === 429 || problem.status >= 500);
    this.errors = problem.errors ?? [];
    this.existing = problem.existing;
    this.traceId = answer.traceId;
    this.retryAfterSeconds = answer.retryAfterSeconds;
    this.verdict = answer.verdict;
  }

  /**
   * Whether a player's hourly limit refused this (429 with the reason `hourly_limit`): ask the player before you wait,
   * because it lasts up to an hour. The limits of a key and of an operation pass within seconds.
   */
  get isPlayerLimit(): boolean {
    return this.errors.some(({ reason }) => reason === 'hourly_limit');
  }

  /** Whether the verdict is `payment_decided`, the only refusal after which a reserve may go back to the player. */
  get conclusive(): boolean {
    return this.verdict === 'payment_decided';
  }
}

/**
 * No usable answer came: a timeout, a dropped connection, or bytes that are not an answer of the gateway. The request
 * may have been carried out. Repeat it with the same Idempotency-Key and body, or look it up by `external_id`, before
 * deciding.
 */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly verdict: Verdict = 'repeat';
  readonly conclusive = false;
  readonly attempts: number;

  constructor(what: string, attempts: number, cause: unknown) {
    super(`${what}: no answer after ${attempts} attempt(s): ${causeText(cause)}`, { cause });
    this.attempts = attempts;
  }
}

function causeText(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = (cause as NodeJS.ErrnoException).code;
  return typeof code === 'string' ? `${code} ${cause.message}` : cause.message;
}
