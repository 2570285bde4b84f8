// The problem of a decision that did not reach its workflow.
import { refused } from './problem.js';
import type { Unreached } from '../staff/acts/workflow-updates.js';

/** The outcome of a decision that reached its workflow. Throws a CommandProblem otherwise. */
export function reached<Outcome extends { readonly kind: string }>(id: string, outcome: Outcome | Unreached): Outcome {
  if (isUnreached(outcome)) throw refused(unreachedText(id, outcome));
  return outcome;
}

function isUnreached(outcome: { readonly kind: string }): outcome is Unreached {
  return outcome.kind === 'unreached';
}

/** One line on why the decision did not reach the workflow of `id`. */
export function unreachedText(id: string, { reason, failure }: Unreached): string {
  switch (reason) {
    case 'already_closed':
      return `${id}: was decided at the same moment; look at it again`;
    case 'no_workflow':
      return `${id}: its workflow is not running; "gateway workflow verify --refresh" opens it again`;
    case 'no_worker':
      return (
        `${id}: no worker accepted the decision in time; is the worker running? ` +
        'It may still count: look at the payment before deciding again'
      );
    case 'books_silent':
      return `${id}: the database does not say whether it was done; look at it before deciding again`;
    case 'failed':
      return `${id}: the workflow failed to decide (${failure})`;
    case 'limit_reached':
      return `${id}: Temporal takes no more requests for it at the moment; nothing was decided, try again in a minute`;
    case 'temporal_refused':
      return `${id}: Temporal refused the decision (${failure})`;
  }
}
