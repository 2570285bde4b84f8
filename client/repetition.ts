// The repetition rule as pure functions: what a refusal means for the payment, and how long to wait before a repeat.
import { type EndpointKind, type Verdict, VERDICT_TABLE } from './verdicts.js';

/** What is known of a refused attempt. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly retryable: boolean | undefined;
  readonly errors: readonly { readonly field: string }[];
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * What a refusal means for the payment. An answer that is not in the table is judged by its HTTP class, and never says
 * that the payment is decided.
 */
export function verdictOf(refusal: Refusal, endpoint: EndpointKind): Verdict {
  const name = rowName(refusal);
  const row = Object.hasOwn(VERDICT_TABLE, name) ? VERDICT_TABLE[name] : undefined;
  if (row !== undefined && row.status === refusal.status) return row[endpoint];
  return isTemporary(refusal) ? 'repeat' : 'nothing_known';
}

/** `validation_failed` decides only where every refused field is of the body or the query: a key does not cover headers. */
function rowName({ status, code, errors }: Refusal): string {
  if (code !== 'validation_failed') return code;
  if (status === 413) return 'validation_failed_too_large';
  const isOfBody = errors.length > 0 && errors.every(({ field }) => /^[a-z]/.test(field));
  return isOfBody ? 'validation_failed_body' : 'validation_failed_other';
}

function isTemporary({ status, retryable }: Refusal): boolean {
  return status === 429 || status >= 500 || (status === 409 && retryable === true);
}

/**
 * Milliseconds to wait after attempt number `attempt` (from 1): 1 s, 2 s, 4 s … up to 60 s with jitter over its upper
 * half, and never less than `Retry-After`. `random` is a number in [0, 1).
 */
export function pauseBeforeRepeatMs(attempt: number, retryAfterSeconds: number | null, random: number): number {
  const ceilingMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
  const backoffMs = Math.round(ceilingMs / 2 + (ceilingMs / 2) * random);
  if (retryAfterSeconds === null) return backoffMs;
  // Jitter on top of Retry-After, so that many clients told the same second do not come back in the same instant.
  return retryAfterSeconds * 1_000 + Math.round(250 * random);
}

/** `Retry-After` in whole seconds, or null if absent or not a plain integer. */
export function parseRetryAfter(value: string | readonly string[] | undefined): number | null {
  return typeof value === 'string' && /^[0-9]{1,9}$/.test(value) ? Number(value) : null;
}
