// A person's decision on a payment under review. It goes through the payment's workflow, the single writer of its object,
// which answers whether the decision counted.
import {
  ApplicationFailure,
  type Client,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  type WorkflowUpdateHandle,
  WorkflowExecutionAlreadyStartedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  WorkflowUpdateStage,
  WithStartWorkflowOperation,
} from '@temporalio/client';
import { type DepositActionOutcome, reviewDeposit } from '../../contract/temporal/deposit.js';
import {
  decideRuleChange,
  recomputeRuleChangeProof,
  RULE_CHANGE_REFUSALS,
  RULE_CHANGE_WORKFLOW,
  type RuleChangeDecisionInput,
  type RuleChangeInput,
  type RuleChangeOutcome,
  ruleChangeStart,
} from '../../contract/temporal/rule-change.js';
import {
  concludeWithdrawal,
  reviewWithdrawal,
  type WithdrawalActionOutcome,
  type WithdrawalConclusion,
  type WithdrawalConclusionOutcome,
} from '../../contract/temporal/withdrawal.js';
import { refused } from '../problem.js';

export interface DecisionTimeouts {
  /** How long the workflow may take to take the decision in. */
  readonly acceptMs: number;
  /** How long the outcome is waited for; a return lasts as long as the provider needs. */
  readonly outcomeMs: number;
}
const TIMEOUTS: DecisionTimeouts = { acceptMs: 10_000, outcomeMs: 15_000 };

export type DepositDecision = {
  readonly decision: 'approve' | 'return';
  readonly person: string;
  readonly reason: string;
};
export type WithdrawalDecision = {
  readonly decision: 'approve' | 'refuse';
  readonly person: string;
  readonly reason: string;
};

/** The decision was taken in; its outcome is not known yet. */
export type UnderWay = { readonly kind: 'under_way' };

/** Decides a deposit. Throws a CommandProblem when the workflow cannot be reached. */
export async function decideDeposit(
  client: Client,
  id: string,
  decision: DepositDecision,
  timeouts = TIMEOUTS,
): Promise<DepositActionOutcome | UnderWay> {
  const handle = client.workflow.getHandle(id);
  return settle(client, id, timeouts, () =>
    handle.startUpdate(reviewDeposit, { args: [decision], waitForStage: WorkflowUpdateStage.ACCEPTED }),
  );
}

/** Decides a withdrawal. Throws a CommandProblem when the workflow cannot be reached. */
export async function decideWithdrawal(
  client: Client,
  id: string,
  decision: WithdrawalDecision,
  timeouts = TIMEOUTS,
): Promise<WithdrawalActionOutcome | UnderWay> {
  const handle = client.workflow.getHandle(id);
  return settle(client, id, timeouts, () =>
    handle.startUpdate(reviewWithdrawal, { args: [decision], waitForStage: WorkflowUpdateStage.ACCEPTED }),
  );
}

/** Says of a lost send that it was never accepted. Throws a CommandProblem when the workflow cannot be reached. */
export async function concludeLostPayout(
  client: Client,
  id: string,
  word: WithdrawalConclusion,
  timeouts = TIMEOUTS,
): Promise<WithdrawalConclusionOutcome | UnderWay> {
  const handle = client.workflow.getHandle(id);
  return settle(client, id, timeouts, () =>
    handle.startUpdate(concludeWithdrawal, { args: [word], waitForStage: WorkflowUpdateStage.ACCEPTED }),
  );
}

/** Decides a rule change, starting its workflow where that never happened. Throws a CommandProblem when it cannot be reached. */
export async function decideChange(
  client: Client,
  input: RuleChangeInput,
  operationName: string,
  decision: RuleChangeDecisionInput,
  timeouts = TIMEOUTS,
): Promise<RuleChangeOutcome | UnderWay> {
  return settle(client, input.changeId, timeouts, () =>
    client.workflow.startUpdateWithStart(decideRuleChange, {
      args: [decision],
      waitForStage: WorkflowUpdateStage.ACCEPTED,
      startWorkflowOperation: changeWorkflow(input, operationName),
    }),
  );
}

/** Has a rule change's report computed anew and waits for it. Throws a CommandProblem when the workflow cannot be reached. */
export async function recomputeChange(
  client: Client,
  input: RuleChangeInput,
  operationName: string,
  person: string,
  timeouts = TIMEOUTS,
): Promise<RuleChangeOutcome | UnderWay> {
  return settle(client, input.changeId, timeouts, () =>
    client.workflow.startUpdateWithStart(recomputeRuleChangeProof, {
      args: [{ person }],
      waitForStage: WorkflowUpdateStage.ACCEPTED,
      startWorkflowOperation: changeWorkflow(input, operationName),
    }),
  );
}

/** Starts the workflow of a stored change, which computes its report. Throws a CommandProblem when it cannot be reached. */
export async function startChange(
  client: Client,
  input: RuleChangeInput,
  operationName: string,
  { acceptMs } = TIMEOUTS,
): Promise<void> {
  try {
    await client.withDeadline(Date.now() + acceptMs, () =>
      client.workflow.start<(input: RuleChangeInput) => Promise<unknown>>(
        RULE_CHANGE_WORKFLOW,
        ruleChangeStart(input, operationName),
      ),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError))
      throw refused(
        `${unreached(input.changeId, error)}; it is stored, "gateway rules changes recompute ${input.changeId}" starts it`,
      );
  }
}

function changeWorkflow(input: RuleChangeInput, operationName: string) {
  return new WithStartWorkflowOperation<(input: RuleChangeInput) => Promise<unknown>>(
    RULE_CHANGE_WORKFLOW,
    ruleChangeStart(input, operationName),
  );
}

async function settle<Outcome>(
  client: Client,
  id: string,
  { acceptMs, outcomeMs }: DecisionTimeouts,
  start: () => Promise<WorkflowUpdateHandle<Outcome>>,
): Promise<Outcome | UnderWay> {
  let update: WorkflowUpdateHandle<Outcome>;
  try {
    update = await client.withDeadline(Date.now() + acceptMs, start);
  } catch (error) {
    throw refused(unreached(id, error));
  }
  try {
    return await client.withDeadline(Date.now() + outcomeMs, () => update.result());
  } catch (error) {
    if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return { kind: 'under_way' };
    throw refused(unreached(id, error));
  }
}

/** Only classes tell what happened; texts of failures may repeat what was sent. */
function unreached(id: string, error: unknown): string {
  if (error instanceof WorkflowExecutionAlreadyStartedError)
    return `${id}: was decided in this moment; look at it again`;
  if (error instanceof WorkflowNotFoundError)
    return `${id}: its workflow is not running; "gateway workflow verify --refresh" opens it again`;
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) {
    return `${id}: no worker took the decision in in time; is the worker running? It may still count: look at the payment before deciding again`;
  }
  if (error instanceof WorkflowUpdateFailedError) return `${id}: ${refusalInWords(failureType(error.cause))}`;
  return `${id}: Temporal refused the decision (${error instanceof Error ? error.name : 'unknown'})`;
}

/** What a validator says has words; anything else is a fault. */
function refusalInWords(type: string): string {
  return (RULE_CHANGE_REFUSALS as Readonly<Record<string, string>>)[type] ?? `the workflow failed to decide (${type})`;
}

/** A failure's type is one of our own names; its message may be anything. */
function failureType(cause: Error | undefined): string {
  return cause instanceof ApplicationFailure ? (cause.type ?? cause.name) : (cause?.name ?? 'unknown');
}
