// The human act that a change of a payment holds, for the audit trail.
import type { ReviewAct } from '../../activities/types.js';
import type { ReviewDecision } from '../../domain/deposit.js';

/** The decision that was added; null where nobody decided. */
export function newAct(before: readonly ReviewDecision[], after: readonly ReviewDecision[]): ReviewAct | null {
  const added = after.length > before.length ? after.at(-1) : undefined;
  return added === undefined ? null : { ...added, number: after.length };
}
