// The problem of a decision that did not reach its workflow.
import { refused } from './problem.js';
import type { Unreached } from '../staff/acts/workflow-updates.js';

/** The outcome of a decision that reached its workflow. Throws a CommandProblem otherwise. */
export async function reached<Outcome extends { readonly kind: string }>(
  id: string,
  outcome: Outcome | Unreached,
): Promise<Outcome> {
  if (isUnreached(outcome)) throw refused(await unreachedText(id, outcome));
  return outcome;
}

function isUnreached(outcome: { readonly kind: string }): outcome is Unreached {
  return outcome.kind === 'unreached';
}

/** One line on why the decision did not reach the workflow of `id`. */
export async function unreachedText(id: string, { reason, failure }: Unreached): Promise<string> {
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
    case 'failed':
      return `${id}: ${await refusalText(failure)}`;
    case 'limit_reached':
      return `${id}: Temporal takes no more requests for it at the moment; nothing was decided, try again in a minute`;
    case 'temporal_refused':
      return `${id}: Temporal refused the decision (${failure})`;
  }
}

/** A validator's refusal has a text; anything else is a fault. */
async function refusalText(type: string): Promise<string> {
  const { RULE_CHANGE_REFUSALS } = await import('../contract/temporal/rule-change.js');
  return (RULE_CHANGE_REFUSALS as Readonly<Record<string, string>>)[type] ?? `the workflow failed to decide (${type})`;
}
