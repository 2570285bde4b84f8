// The decision of a person that a change of a payment contains, for the audit trail.
import type { ReviewAct } from '../../contract/temporal/transitions.js';
import type { ReviewDecision } from '../../domain/payments/deposit.js';
import type { WriteOffAct } from '../../domain/payments/write-off.js';

/** The review decision that was added; `null` when there is none. */
export function newAct(before: readonly ReviewDecision[], after: readonly ReviewDecision[]): ReviewAct | null {
  const added = after.length > before.length ? after.at(-1) : undefined;
  return added === undefined ? null : { ...added, number: after.length };
}

/** The write-off decision that was added; `null` when there is none. */
export function newWriteOffAct(
  before: readonly WriteOffAct[] = [],
  after: readonly WriteOffAct[] = [],
): ReviewAct | null {
  const added = after.length > before.length ? after.at(-1) : undefined;
  return added === undefined ? null : { ...added, number: `write-off-${after.length}` };
}
