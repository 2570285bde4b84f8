// The id of a person's stored act, as an update brings it.
import { ApplicationFailure } from '@temporalio/workflow';
import { isId } from '../../domain/identifiers.js';

/** Refuses an update without the id of an act before it enters the history. The step reads the act itself. */
export function assertActId(actId: unknown): void {
  if (typeof actId !== 'string' || !isId('staffAct', actId))
    throw ApplicationFailure.nonRetryable('a decision needs the id of a stored act', 'InvalidReview');
}
