// The failure of a step that waits for a change: Temporal tries it again after growing pauses, without an event in the
// payment's history.
import { asyncLocalStorage, ApplicationFailure } from '@temporalio/activity';

/** Pause before the next try that finds no change, by the number of tries. Errors are tried again sooner. */
const PAUSES_SECONDS = [30, 60, 120, 300] as const;
const LATER_PAUSE_SECONDS = 900;

/**
 * `reason` is the code that the payment's page shows. `isLater` is true if the pauses have grown in earlier activities.
 */
export function notYet(
  reason: string,
  isLater = false,
  pausesSeconds: readonly number[] = PAUSES_SECONDS,
): ApplicationFailure {
  const tries = asyncLocalStorage.getStore()?.info.attempt ?? 1;
  const seconds = isLater ? LATER_PAUSE_SECONDS : (pausesSeconds[tries - 1] ?? LATER_PAUSE_SECONDS);
  return ApplicationFailure.create({
    message: `nothing has changed: ${reason}`,
    type: 'NotYet',
    details: [reason],
    nextRetryDelay: seconds * 1_000,
  });
}
