// The human act that a change of a payment holds, for the audit trail; and what is no act at all.
import { ApplicationFailure } from '@temporalio/workflow';
import type { ReviewAct } from '../../contract/temporal/transitions.js';
import type { ReviewDecision } from '../../domain/deposit.js';
import type { ConclusionAct } from '../../domain/lost-payout.js';
import { isPersonName, isReason } from '../../domain/people.js';

/** The decision that was added; null where nobody decided. */
export function newAct(before: readonly ReviewDecision[], after: readonly ReviewDecision[]): ReviewAct | null {
  const added = after.length > before.length ? after.at(-1) : undefined;
  return added === undefined ? null : { ...added, number: after.length };
}

/** As `newAct`, of what people conclude on a send that was lost. */
export function newConclusionAct(
  before: readonly ConclusionAct[] = [],
  after: readonly ConclusionAct[] = [],
): ReviewAct | null {
  const added = after.length > before.length ? after.at(-1) : undefined;
  return added === undefined ? null : { ...added, number: `conclusion-${after.length}` };
}

/** Validates a conclusion's update, as `assertReview` does. */
export function assertConclusion({
  person,
  reason,
  evidence,
}: Pick<ConclusionAct, 'person' | 'reason' | 'evidence'>): void {
  if (!isPersonName(person)) throw invalid('a conclusion needs the name of the person who decides');
  if (!isReason(reason)) throw invalid('a reason is one line of at most 500 characters');
  if (evidence.trim() === '' || !isReason(evidence)) throw invalid('evidence is one line of 1 to 500 characters');
}

/** Validates a review's update: who decides what, and why. Refused here it leaves no trace in the history. */
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
