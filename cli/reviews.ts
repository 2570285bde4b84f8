// A person's decision on a payment under review. It goes through the payment's workflow, the single writer of its object,
// which answers whether the decision counted.
import { type Client, WorkflowNotFoundError, WorkflowUpdateFailedError, type WorkflowUpdateHandle, WorkflowUpdateRPCTimeoutOrCancelledError, WorkflowUpdateStage } from '@temporalio/client';
import { type DepositActionOutcome, reviewDeposit } from '../contract/temporal/deposit.js';
import { reviewWithdrawal, type WithdrawalActionOutcome } from '../contract/temporal/withdrawal.js';
import { refused } from './problem.js';

/** How long the workflow may take to take the decision in. */
const ACCEPT_TIMEOUT_MS = 10_000;
/** How long the outcome is waited for; a return lasts as long as the provider needs. */
const OUTCOME_TIMEOUT_MS = 15_000;

export type DepositDecision = { readonly decision: 'approve' | 'return'; readonly person: string; readonly reason: string };
export type WithdrawalDecision = { readonly decision: 'approve' | 'refuse'; readonly person: string; readonly reason: string };

/** The decision was taken in; its outcome is not known yet. */
export type UnderWay = { readonly kind: 'under_way' };

/** Decides a deposit. Throws a CommandProblem when the workflow cannot be reached. */
export async function decideDeposit(client: Client, id: string, decision: DepositDecision): Promise<DepositActionOutcome | UnderWay> {
  const handle = client.workflow.getHandle(id);
  return settle(client, id, () => handle.startUpdate(reviewDeposit, { args: [decision], waitForStage: WorkflowUpdateStage.ACCEPTED }));
}

/** Decides a withdrawal. Throws a CommandProblem when the workflow cannot be reached. */
export async function decideWithdrawal(client: Client, id: string, decision: WithdrawalDecision): Promise<WithdrawalActionOutcome | UnderWay> {
  const handle = client.workflow.getHandle(id);
  return settle(client, id, () => handle.startUpdate(reviewWithdrawal, { args: [decision], waitForStage: WorkflowUpdateStage.ACCEPTED }));
}

async function settle<Outcome>(client: Client, id: string, start: () => Promise<WorkflowUpdateHandle<Outcome>>): Promise<Outcome | UnderWay> {
  let update: WorkflowUpdateHandle<Outcome>;
  try {
    update = await client.withDeadline(Date.now() + ACCEPT_TIMEOUT_MS, start);
  } catch (error) {
    throw refused(unreached(id, error));
  }
  try {
    return await client.withDeadline(Date.now() + OUTCOME_TIMEOUT_MS, () => update.result());
  } catch (error) {
    if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return { kind: 'under_way' };
    throw refused(unreached(id, error));
  }
}

/** Only classes tell what happened; texts of failures may repeat what was sent. */
function unreached(id: string, error: unknown): string {
  if (error instanceof WorkflowNotFoundError) return `${id}: its workflow is not running; look at it with "gateway review show ${id}"`;
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) {
    return `${id}: no worker took the decision in within ${ACCEPT_TIMEOUT_MS / 1000} s; is the worker running? It may still count: look at the payment before deciding again`;
  }
  if (error instanceof WorkflowUpdateFailedError) return `${id}: the workflow failed to decide (${error.cause?.name ?? 'unknown'})`;
  return `${id}: Temporal refused the decision (${error instanceof Error ? error.name : 'unknown'})`;
}
