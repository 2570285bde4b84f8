// The repetition rule as pure functions: which answers are repeated, how long to wait, which refusals are conclusive.

/** What is known of a refused attempt. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly retryable: boolean | undefined;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** True if the same request is to be sent again: 429, 5xx, and the 409s that pass with time. Any other 4xx is a decision. */
export function isRepeatable(refusal: Refusal): boolean {
  if (refusal.status === 429 || refusal.status >= 500) return true;
  if (refusal.status !== 409) return false;
  return refusal.code === 'idempotency_in_progress' || refusal.code === 'day_open' || refusal.retryable === true;
}

/** True if this refusal says that nothing happened, neither now nor at an earlier attempt under the same key. */
export function isConclusive(refusal: Refusal): boolean {
  if (isRepeatable(refusal) || refusal.status < 400) return false;
  if (refusal.code === 'unrecognised_answer' || refusal.code === 'duplicate_external_id') return false;
  // Who asks is checked before idempotency: refused there, the answer says nothing of an attempt that got through, in this call or
  // in one of a process that crashed since.
  return refusal.status !== 401 && refusal.status !== 403;
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
