// The run that a payment or rule change has in Temporal: whether it makes progress, and whether it is the gateway's.
// Anyone who reaches Temporal can start a workflow under a payment's id. One of another type or task queue, or with an
// input that the gateway would not write, is an impostor.
import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';
import { optionalTsToDate } from '@temporalio/common/lib/time.js';
import type { OpenRun, RunProgress } from '../../contract/temporal/scheduled-work.js';
import {
  DEPOSIT_WORKFLOW,
  type DepositOrder,
  type DepositWorkflowInput,
  WITHDRAWAL_WORKFLOW,
  type WithdrawalOrder,
  type WithdrawalWorkflowInput,
} from '../../contract/temporal/payment.js';
import { payloadConverter } from '../../contract/temporal/payload-converter.js';
import { RULE_CHANGE_WORKFLOW, type RuleChangeInput } from '../../contract/temporal/rule-change.js';
import { TASK_QUEUES } from '../../contract/temporal/workers.js';

export interface RunOwner {
  readonly kind: 'deposit' | 'withdrawal' | 'rule_change';
  readonly id: string;
  readonly operationId: string;
}

/** Whether the gateway's api made this order, however long ago. */
export type OrderProof = (kind: 'deposit' | 'withdrawal', order: DepositOrder | WithdrawalOrder) => boolean;

/** One failure may be a machine that stood still. The server begins the third try ten seconds after the second. */
export const FAILED_TASKS_ALERTED = 2;

/** PENDING_WORKFLOW_TASK_STATE_SCHEDULED: it waits for a worker. */
const SCHEDULED = 1;

type RawDescription = WorkflowExecutionDescription['raw'];
type StartEvent = NonNullable<
  NonNullable<
    NonNullable<Awaited<ReturnType<Client['workflowService']['getWorkflowExecutionHistory']>>['history']>['events']
  >[number]['workflowExecutionStartedEventAttributes']
>;

const TYPES: Record<RunOwner['kind'], string> = {
  deposit: DEPOSIT_WORKFLOW,
  withdrawal: WITHDRAWAL_WORKFLOW,
  rule_change: RULE_CHANGE_WORKFLOW,
};

/** How the running workflow of this id gets on; `null` without one. */
export async function progressOf(client: Client, workflowId: string): Promise<RunProgress | null> {
  try {
    const { runId, status, historyLength, raw } = await client.workflow.getHandle(workflowId).describe();
    if (status.name !== 'RUNNING') return null;
    return { runId, historyEvents: historyLength, ...attemptsOf(raw), untakenSince: untakenSince(raw) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

function attemptsOf({ pendingActivities, pendingWorkflowTask }: RawDescription) {
  const attempts = (pendingActivities ?? []).map(({ attempt }) => attempt ?? 0);
  const failedTasks = Math.max(0, (pendingWorkflowTask?.attempt ?? 1) - 1);
  return { pendingAttempts: Math.max(0, ...attempts), failedTasks };
}

function untakenSince({ pendingWorkflowTask }: RawDescription): string | null {
  const { state, attempt, originalScheduledTime } = pendingWorkflowTask ?? {};
  if (state !== SCHEDULED || (attempt ?? 1) > 1) return null;
  return optionalTsToDate(originalScheduledTime)?.toISOString() ?? null;
}

/** The owner's running workflow; `null` without one. */
export async function openRunOf(client: Client, owner: RunOwner, isProven: OrderProof): Promise<OpenRun | null> {
  const progress = await progressOf(client, owner.id);
  if (progress === null) return null;
  const { runId } = progress;
  const start = await startOf(client, owner.id, runId);
  // It ended in the meantime, and the server forgot it.
  if (start === null) return null;
  const { firstExecutionRunId: firstId } = start;
  // An impostor may continue as a workflow of the gateway's. The server forgets the first run after the retention.
  const first = firstId && firstId !== runId ? await startOf(client, owner.id, firstId) : null;
  // A run that continued has shown its order to the step that stored it; the key of its proof may be retired since.
  const impostor = whyImpostor(owner, start, isProven) ?? (first && whyImpostor(owner, first, () => true));
  return { ...progress, impostor };
}

async function startOf(client: Client, workflowId: string, runId: string): Promise<StartEvent | null> {
  const { namespace } = client.options;
  try {
    const { history } = await client.workflowService.getWorkflowExecutionHistory({
      namespace,
      execution: { workflowId, runId },
      maximumPageSize: 1,
    });
    return history?.events?.[0]?.workflowExecutionStartedEventAttributes ?? null;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** The gRPC status NOT_FOUND. */
function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 5;
}

/** Why the gateway did not start this run of the owner's workflow; `null` if it did. */
export function whyImpostor(owner: RunOwner, start: StartEvent, isProven: OrderProof): string | null {
  const { workflowType, taskQueue, input } = start;
  if (workflowType?.name !== TYPES[owner.kind]) return 'its type is another';
  if (taskQueue?.name !== TASK_QUEUES.payments) return 'its task queue is another';
  const given = readInput(input?.payloads);
  if (given === undefined) return 'its input cannot be read';
  const isOurs =
    owner.kind === 'rule_change'
      ? isOfChange(owner, given as RuleChangeInput)
      : isOfPayment(owner, given as DepositWorkflowInput | WithdrawalWorkflowInput, isProven);
  return isOurs ? null : 'the gateway did not write its input';
}

/** The only value of the input, an object; else `undefined`. */
function readInput(payloads: Parameters<typeof payloadConverter.fromPayload>[0][] | null | undefined): unknown {
  const [payload, ...more] = payloads ?? [];
  if (payload === undefined || more.length > 0) return undefined;
  try {
    const value = payloadConverter.fromPayload(payload);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function isOfChange({ id, operationId }: RunOwner, input: Partial<RuleChangeInput>): boolean {
  return input.changeId === id && input.operationId === operationId;
}

function isOfPayment(
  { kind, id, operationId }: RunOwner,
  input: DepositWorkflowInput | WithdrawalWorkflowInput,
  isProven: OrderProof,
): boolean {
  switch (input.kind) {
    case 'create': {
      const order = input.order as Partial<DepositOrder & WithdrawalOrder> | undefined;
      if (order?.id !== id || order.operationId !== operationId) return false;
      return isProven(kind as 'deposit' | 'withdrawal', input.order);
    }
    // It says nothing but which payment: everything else comes from the row.
    case 'reopen':
      return input.id === id && input.operationId === operationId && Object.keys(input).length === 3;
    default:
      return false;
  }
}
