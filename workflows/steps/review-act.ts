// Decisions of people: finds the new one in a change, for the audit trail, and validates them before they are recorded.
import { ApplicationFailure } from '@temporalio/workflow';
import type { ReviewAct } from '../../contract/temporal/transitions.js';
import type { ReviewDecision } from '../../domain/deposit.js';
import { isPersonName, isReason } from '../../domain/people.js';
import type { WriteOffAct } from '../../domain/write-off.js';

/** The review decision that was added; null when there is none. */
export function newAct(before: readonly ReviewDecision[], after: readonly ReviewDecision[]): ReviewAct | null {
  const added = after.length > before.length ? after.at(-1) : undefined;
  return added === undefined ? null : { ...added, number: after.length };
}

/** The write-off decision that was added; null when there is none. */
export function newWriteOffAct(
  before: readonly WriteOffAct[] = [],
  after: readonly WriteOffAct[] = [],
): ReviewAct | null {
  const added = after.length > before.length ? after.at(-1) : undefined;
  return added === undefined ? null : { ...added, number: `conclusion-${after.length}` };
}

/** Validates the update of a write-off decision. Throws like `assertReview`. */
export function assertWriteOff({
  person,
  reason,
  evidence,
}: Pick<WriteOffAct, 'person' | 'reason' | 'evidence'>): void {
  if (!isPersonName(person)) throw invalid('a write-off needs the name of the person who decides');
  if (!isReason(reason)) throw invalid('a reason is one line of at most 500 characters');
  if (evidence.trim() === '' || !isReason(evidence)) throw invalid('evidence is one line of 1 to 500 characters');
}

/**
 * Validates the update of a review. Throws an `InvalidReview` failure; a rejected update leaves no trace in the
 * history.
 */
export function assertReview(
  { decision, person, reason }: Pick<ReviewDecision, 'person' | 'reason'> & { readonly decision: string },
  possible: readonly string[],
): void {
  if (!possible.includes(decision)) throw invalid(`a decision is one of ${possible.join(', ')}`);
  if (!isPersonName(person)) throw invalid('a review needs the name of the person who decides');
  if (!isReason(reason)) throw invalid('a reason is one line of at most 500 characters');
}

function invalid(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'InvalidReview');
}
