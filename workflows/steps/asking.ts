// Asks the provider until it answers. Temporal tries an activity again and again without a word to the workflow and
// without an event; so an activity is ended now and then, and the workflow learns the last error and can say it.
import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import type { CallLimit } from './activity-proxies.js';

/** For how long one activity goes on asking: first, second, every later one. Each that ends in vain costs six events. */
const LIMITS_SECONDS = [30, 300] as const;
const LATER_LIMIT_SECONDS = 3_600;

/** The provider's answer, however long it takes. `unanswered` hears of each activity that ended in vain: a code. */
export async function askUntilAnswered<Answer>(
  ask: (limit: CallLimit) => Promise<Answer>,
  unanswered: (error: string) => void,
): Promise<Answer> {
  for (let asked = 0; ; asked += 1) {
    try {
      return await ask({ scheduleToCloseTimeout: (LIMITS_SECONDS[asked] ?? LATER_LIMIT_SECONDS) * 1_000 });
    } catch (error) {
      if (!isSilence(error)) throw error;
      unanswered(errorCodeOf(error));
    }
  }
}

/** Tried for as long as it may, or not taken up by any worker; anything else that fails a call for good is a fault. */
function isSilence(error: unknown): error is ActivityFailure {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) return false;
  return !(error.cause instanceof ApplicationFailure && error.cause.nonRetryable === true);
}

/** What the last try ended with: the provider's answer as a code (`http_500`, `timeout`), or the kind of fault. */
export function errorCodeOf({ cause }: ActivityFailure): string {
  // A limit that passed between two tries names the last of them as its cause.
  const last = cause instanceof TimeoutFailure && cause.cause !== undefined ? cause.cause : cause;
  if (last instanceof ApplicationFailure) {
    const [code] = last.details ?? [];
    return typeof code === 'string' ? code : (last.type ?? 'unknown error');
  }
  return last instanceof TimeoutFailure ? 'timeout' : 'unknown error';
}
