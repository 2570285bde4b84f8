// A person's decision on a rule change. Its workflow is started if it is not running.
import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowUpdateStage,
} from '@temporalio/client';
import {
  decideRuleChange,
  recomputeRuleChangeProof,
  RULE_CHANGE_WORKFLOW,
  type RuleChangeDecisionInput,
  type RuleChangeInput,
  type RuleChangeOutcome,
  ruleChangeStart,
} from '../../contract/temporal/rule-change.js';
import { settle, type UnderWay, type Unreached, unreached, UPDATE_TIMEOUTS } from './workflow-updates.js';

type RuleChangeWorkflow = (input: RuleChangeInput) => Promise<unknown>;

/** Approves or rejects a rule change. */
export async function decideChange(
  client: Client,
  input: RuleChangeInput,
  operationName: string,
  decision: RuleChangeDecisionInput,
  timeouts = UPDATE_TIMEOUTS,
): Promise<RuleChangeOutcome | UnderWay | Unreached> {
  return settle(client, timeouts, () =>
    client.workflow.startUpdateWithStart(decideRuleChange, {
      args: [decision],
      waitForStage: WorkflowUpdateStage.ACCEPTED,
      startWorkflowOperation: startOperation(input, operationName),
    }),
  );
}

/** Computes the report of a rule change again and waits for it. */
export async function recomputeChange(
  client: Client,
  input: RuleChangeInput,
  operationName: string,
  person: string,
  timeouts = UPDATE_TIMEOUTS,
): Promise<RuleChangeOutcome | UnderWay | Unreached> {
  return settle(client, timeouts, () =>
    client.workflow.startUpdateWithStart(recomputeRuleChangeProof, {
      args: [{ person }],
      waitForStage: WorkflowUpdateStage.ACCEPTED,
      startWorkflowOperation: startOperation(input, operationName),
    }),
  );
}

/** Starts the workflow of a stored change, which computes its report. Null: it runs. */
export async function startChange(
  client: Client,
  input: RuleChangeInput,
  operationName: string,
  { acceptMs } = UPDATE_TIMEOUTS,
): Promise<Unreached | null> {
  try {
    await client.withDeadline(Date.now() + acceptMs, () =>
      client.workflow.start<RuleChangeWorkflow>(RULE_CHANGE_WORKFLOW, ruleChangeStart(input, operationName)),
    );
    return null;
  } catch (error) {
    return error instanceof WorkflowExecutionAlreadyStartedError ? null : unreached(error);
  }
}

function startOperation(input: RuleChangeInput, operationName: string) {
  return new WithStartWorkflowOperation<RuleChangeWorkflow>(
    RULE_CHANGE_WORKFLOW,
    ruleChangeStart(input, operationName),
  );
}
