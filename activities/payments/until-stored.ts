// Reads and decides again when the row changes between a step's read and its write.
import { ApplicationFailure } from '@temporalio/activity';

/** How often a step decides before it gives up on a row that keeps changing. A later try continues. */
export const MAX_TRIES = 5;

/** Returns the first answer of `attempt` that is not `null`; `null` means that the row has changed. */
export async function untilStored<Answer>(attempt: () => Promise<Answer | null>): Promise<Answer> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const answer = await attempt();
    if (answer !== null) return answer;
  }
  throw contended();
}

/** A retryable failure. */
export function contended(): ApplicationFailure {
  return ApplicationFailure.retryable('the row changed at every try', 'RowContended');
}
