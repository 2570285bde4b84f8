// Compares the open payments of PostgreSQL with the open workflows of Temporal. The two are written one after the other, so at one instant they
// can differ by a step under way; they differ for good when the one was restored without the other, or a workflow was ended by hand.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { DEFAULT_DEADLINES } from '../platform/temporal/deadlines.js';
import { DepositWorkflows } from '../platform/temporal/deposit-workflows.js';
import { WithdrawalWorkflows } from '../platform/temporal/withdrawal-workflows.js';
import { DEPOSIT_WORKFLOW } from '../contract/temporal/deposit.js';
import { RULE_CHANGE_WORKFLOW } from '../contract/temporal/rule-change.js';
import { WITHDRAWAL_WORKFLOW } from '../contract/temporal/withdrawal.js';
import { CLOSED_DEPOSIT_STATUSES, type DepositStatus } from '../domain/deposit.js';
import { CLOSED_WITHDRAWAL_STATUSES, type WithdrawalStatus } from '../domain/withdrawal.js';
import { type Database, toBigInt } from '../store/database.js';

export type ObjectKind = 'deposit' | 'withdrawal' | 'rule_change';

export interface OpenObject {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly operationId: string;
  readonly status: string;
}

export interface OpenProblem {
  /** `workflow_missing`: nobody drives an open object. `object_missing`: a workflow drives what PostgreSQL does not know. */
  readonly problem: 'workflow_missing' | 'object_missing';
  readonly kind: ObjectKind;
  readonly id: string;
  readonly status: string | null;
}

export interface OpenComparison {
  readonly objects: readonly OpenObject[];
  readonly workflows: number;
  readonly problems: readonly OpenProblem[];
}

const KINDS: Readonly<Record<string, ObjectKind>> = {
  [DEPOSIT_WORKFLOW]: 'deposit',
  [WITHDRAWAL_WORKFLOW]: 'withdrawal',
  [RULE_CHANGE_WORKFLOW]: 'rule_change',
};
/** A workflow begins before its row, and Temporal's index lags behind. */
const SETTLED_MS = 60_000;
const CALL_TIMEOUT_MS = 10_000;

/** Every difference that is not a step under way: what the lists show is asked again one by one. */
export async function compareOpen(
  database: Database,
  client: Client,
  nowMs: () => number = Date.now,
): Promise<OpenComparison> {
  const workflows = new Map<string, { kind: ObjectKind; startedMs: number }>();
  const types = Object.keys(KINDS)
    .map((type) => `"${type}"`)
    .join(', ');
  for await (const { workflowId, type, startTime } of client.workflow.list({
    query: `WorkflowType IN (${types}) AND ExecutionStatus = "Running"`,
  })) {
    const kind = KINDS[type];
    if (kind !== undefined) workflows.set(workflowId, { kind, startedMs: startTime.getTime() });
  }
  const objects = await readOpenObjects(database);
  const problems: OpenProblem[] = [];
  for (const object of objects) {
    if (workflows.has(object.id) || (await isRunning(client, object.id)) || !(await isStillOpen(database, object)))
      continue;
    problems.push({ problem: 'workflow_missing', kind: object.kind, id: object.id, status: object.status });
  }
  const known = new Set(objects.map(({ id }) => id));
  for (const [id, { kind, startedMs }] of workflows) {
    if (
      known.has(id) ||
      nowMs() - startedMs < SETTLED_MS ||
      (await exists(database, kind, id)) ||
      !(await isRunning(client, id))
    )
      continue;
    problems.push({ problem: 'object_missing', kind, id, status: null });
  }
  return { objects, workflows: workflows.size, problems };
}

/** Has every open payment ask its provider what happened. One whose workflow is missing is reopened from its row. */
export async function refreshOpen(
  database: Database,
  client: Client,
  objects: readonly OpenObject[],
  onProgress: (done: number) => void,
): Promise<{ refreshed: number; unanswered: string[] }> {
  const [deposits, withdrawals] = [
    new DepositWorkflows(client.workflow, DEFAULT_DEADLINES),
    new WithdrawalWorkflows(client.workflow, DEFAULT_DEADLINES),
  ];
  const names = new Map(
    (await database.operation.findMany({ select: { id: true, name: true } })).map(({ id, name }) => [id, name]),
  );
  const unanswered: string[] = [];
  let refreshed = 0;
  for (const { kind, id } of objects) {
    const row = kind === 'rule_change' ? null : await readRow(database, kind, id);
    if (row === null) continue;
    const { amountMinor, ...stored } = row;
    const [payment, operationName] = [
      { ...stored, amountMinor: toBigInt(amountMinor).toString() },
      names.get(row.operationId) ?? row.operationId,
    ];
    const reply =
      kind === 'deposit'
        ? await deposits.refresh({ ...payment, status: payment.status as DepositStatus }, operationName, null)
        : await withdrawals.refresh({ ...payment, status: payment.status as WithdrawalStatus }, operationName);
    if (reply.kind === 'unavailable') unanswered.push(id);
    else refreshed += 1;
    onProgress(refreshed + unanswered.length);
  }
  return { refreshed, unanswered };
}

const ROW = { id: true, operationId: true, externalId: true, status: true, amountMinor: true } as const;
const OPEN_DEPOSIT = { status: { notIn: [...CLOSED_DEPOSIT_STATUSES] } };
const OPEN_WITHDRAWAL = { status: { notIn: [...CLOSED_WITHDRAWAL_STATUSES] } };
const OPEN_CHANGE = { status: 'pending_approval' };

function readRow(database: Database, kind: 'deposit' | 'withdrawal', id: string) {
  return kind === 'deposit'
    ? database.deposit.findUnique({ where: { id }, select: ROW })
    : database.withdrawal.findUnique({ where: { id }, select: ROW });
}

async function readOpenObjects(database: Database): Promise<OpenObject[]> {
  const select = { id: true, operationId: true, status: true } as const;
  const [deposits, withdrawals, changes] = [
    await database.deposit.findMany({ where: OPEN_DEPOSIT, select, orderBy: { createdAt: 'asc' } }),
    await database.withdrawal.findMany({ where: OPEN_WITHDRAWAL, select, orderBy: { createdAt: 'asc' } }),
    await database.ruleChangeRequest.findMany({ where: OPEN_CHANGE, select, orderBy: { createdAt: 'asc' } }),
  ];
  const named =
    (kind: ObjectKind) =>
    (row: Omit<OpenObject, 'kind'>): OpenObject => ({ kind, ...row });
  return [
    ...deposits.map(named('deposit')),
    ...withdrawals.map(named('withdrawal')),
    ...changes.map(named('rule_change')),
  ];
}

async function isStillOpen(database: Database, { kind, id }: OpenObject): Promise<boolean> {
  const count = {
    deposit: () => database.deposit.count({ where: { id, ...OPEN_DEPOSIT } }),
    withdrawal: () => database.withdrawal.count({ where: { id, ...OPEN_WITHDRAWAL } }),
    rule_change: () => database.ruleChangeRequest.count({ where: { id, ...OPEN_CHANGE } }),
  }[kind];
  return (await count()) === 1;
}

async function exists(database: Database, kind: ObjectKind, id: string): Promise<boolean> {
  const count = {
    deposit: () => database.deposit.count({ where: { id } }),
    withdrawal: () => database.withdrawal.count({ where: { id } }),
    rule_change: () => database.ruleChangeRequest.count({ where: { id } }),
  }[kind];
  return (await count()) === 1;
}

async function isRunning(client: Client, id: string): Promise<boolean> {
  try {
    const { status } = await client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
      client.workflow.getHandle(id).describe(),
    );
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
