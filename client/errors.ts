// The two ways in which a call to the gateway does not succeed: an answer that says no, and no usable answer.
import type { FieldError, Problem } from './types.js';

/** What is read of a problem: an answer that is not the gateway's own holds less. */
export type ReceivedProblem = Pick<Problem, 'status' | 'code'> & Partial<Problem>;

/** A problem answer. Decide by `code` (unknown codes: by HTTP class) and by `conclusive`; `message` is for people. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** The stable code, or `unrecognised_answer` when the body was not a problem of the gateway (an edge proxy's page, say). */
  readonly code: string;
  readonly retryable: boolean;
  readonly errors: readonly FieldError[];
  readonly existing: Problem['existing'];
  readonly traceId: string | null;
  readonly retryAfterSeconds: number | null;
  /**
   * True only if the request certainly did nothing: the one case in which a reserve may go back to the player. False for
   * 429, 5xx, `idempotency_in_progress`, an answer that is not the gateway's own, 401 and 403 (they come before the look at
   * the Idempotency-Key: an earlier attempt may have passed), and `duplicate_external_id` (decide by the state of `existing`).
   */
  readonly conclusive: boolean;

  constructor(answer: { request: string; problem: ReceivedProblem; traceId: string | null; retryAfterSeconds: number | null; conclusive: boolean }) {
    const { problem } = answer;
    const fields = (problem.errors ?? []).map((error) => `${error.field}: ${error.reason}`).join(', ');
    super(`${answer.request}: ${problem.status} ${problem.code}${fields ? ` (${fields})` : ''}${answer.traceId ? `, trace ${answer.traceId}` : ''}`);
    this.status = problem.status;
    this.code = problem.code;
    this.retryable = problem.retryable ?? (problem.status === 429 || problem.status >= 500);
    this.errors = problem.errors ?? [];
    this.existing = problem.existing;
    this.traceId = answer.traceId;
    this.retryAfterSeconds = answer.retryAfterSeconds;
    this.conclusive = answer.conclusive;
  }
}

/**
 * No usable answer came: a timeout, a dropped connection, or bytes that are not an answer of the gateway. The request may
 * have been carried out. Repeat it with the same Idempotency-Key and body, or look it up by `external_id`, before deciding.
 */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
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
