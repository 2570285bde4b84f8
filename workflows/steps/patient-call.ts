// Calls a provider until it answers. Temporal retries an activity without an event, and the workflow does not see it.
// So each activity has a time limit: when it passes, the workflow learns the last error, reports it, and schedules the
// next.
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  TemporalFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import { PATIENCE_SECONDS, type StepOptions } from './step.js';
import { COPIED_ORDER, EXPIRED_ORDER, UNPROVEN_ORDER } from '../../contract/temporal/payment-steps.js';

/**
 * Returns the provider's answer, however long it takes. `unanswered` gets the error code of each activity without one.
 * `limitsSeconds` are the time limits of the first activities; the last one is also that of every later activity.
 * `isLater` is true for those. Temporal counts the tries of each activity from one, so a step with growing pauses must
 * be told to keep the longest.
 */
export async function callUntilAnswered<Answer>(
  call: (options: StepOptions, isLater: boolean) => Promise<Answer>,
  unanswered: (error: string) => void,
  limitsSeconds: readonly number[] = PATIENCE_SECONDS.provider,
): Promise<Answer> {
  for (let calls = 0; ; calls += 1) {
    try {
      const seconds = limitsSeconds[calls] ?? limitsSeconds.at(-1) ?? 0;
      return await call({ scheduleToCloseTimeout: seconds * 1_000 }, calls >= limitsSeconds.length);
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      unanswered(errorCodeOf(error));
    }
  }
}

/** Retries ran out of time, or no worker took the activity. A non-retryable failure is a fault and is thrown. */
function isUnanswered(error: unknown): error is ActivityFailure {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) return false;
  return !(error.cause instanceof ApplicationFailure && error.cause.nonRetryable === true);
}

/** The error of the last try: the provider's answer as a code (`http_500`, `timeout`), or the failure's type. */
export function errorCodeOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  // A limit that passes between two tries has the last try's failure as its cause.
  const last = cause instanceof TimeoutFailure && cause.cause !== undefined ? cause.cause : cause;
  if (last instanceof ApplicationFailure) {
    const [code] = last.details ?? [];
    return typeof code === 'string' ? code : (last.type ?? 'unknown error');
  }
  return last instanceof TimeoutFailure ? 'timeout' : 'unknown error';
}

/**
 * Returns only if the step failed. Throws any other error: a fault of the code, or the end of an abandoned call. A
 * worker that drops the run during a local step reports the step as cancelled: that counts as failed.
 */
export function assertStepFailed(error: unknown): void {
  if (!(error instanceof TemporalFailure) || CancellationScope.current().consideredCancelled) throw error;
}

/** The type of a failed step's failure; null for any other error. */
export function failureTypeOf(error: unknown): string | null {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure ? (cause.type ?? null) : null;
}

/** Whether a creation failed because of its order: no other way of opening it can help. */
export function isOrderRefused(error: unknown): boolean {
  const type = failureTypeOf(error);
  return type === UNPROVEN_ORDER || type === EXPIRED_ORDER || type === COPIED_ORDER;
}
