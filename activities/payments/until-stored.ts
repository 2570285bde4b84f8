// What every step does when the row changes between its reading and its writing: it reads and decides again.
import type { ApplicationFailure } from '@temporalio/activity';

/** How often a step decides before it leaves a row that keeps changing to a later try. */
export const MAX_TRIES = 5;

/** The first answer of `attempt` that is not `null` (`null`: the row has changed). Throws `contended()` without one. */
export async function untilStored<Answer>(
  attempt: () => Promise<Answer | null>,
  contended: () => ApplicationFailure,
): Promise<Answer> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const answer = await attempt();
    if (answer !== null) return answer;
  }
  throw contended();
}
