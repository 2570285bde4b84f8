// Compares the open payments of PostgreSQL with the open workflows of Temporal. Rows and workflows are written one
// after the other, so they can briefly differ by a step. They differ permanently after only one of the two was
// restored, or when a workflow was terminated by hand.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { DEPOSIT_WORKFLOW } from '../../contract/temporal/deposit.js';
import { RULE_CHANGE_WORKFLOW } from '../../contract/temporal/rule-change.js';
import { WITHDRAWAL_WORKFLOW } from '../../contract/temporal/withdrawal.js';
import type { Database } from '../../store/database.js';
import {
  isStillOpen,
  objectExists,
  type ObjectKind,
  type OpenObject,
  readOpenObjects,
} from '../../store/payments/open-objects.js';

export interface OpenProblem {
  /** `workflow_missing`: an open object has no workflow. `object_missing`: a workflow's object has no row. */
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

interface OpenWorkflow {
  readonly kind: ObjectKind;
  readonly startedMs: number;
}

const KINDS: Readonly<Record<string, ObjectKind>> = {
  [DEPOSIT_WORKFLOW]: 'deposit',
  [WITHDRAWAL_WORKFLOW]: 'withdrawal',
  [RULE_CHANGE_WORKFLOW]: 'rule_change',
};
/** A workflow starts before its row exists, and Temporal's index lags behind. */
const SETTLED_MS = 60_000;
const CALL_TIMEOUT_MS = 10_000;

/** Every difference that is not a step in progress: each one that the lists show is checked again on its own. */
export async function compareOpen(
  database: Database,
  client: Client,
  nowMs: () => number = Date.now,
): Promise<OpenComparison> {
  const workflows = await listOpenWorkflows(client);
  const objects = await readOpenObjects(database);
  const problems: OpenProblem[] = [];
  for (const object of objects) {
    if (workflows.has(object.id) || (await isRunning(client, object.id)) || !(await isStillOpen(database, object)))
      continue;
    problems.push({ problem: 'workflow_missing', kind: object.kind, id: object.id, status: object.status });
  }
  const known = new Set(objects.map(({ id }) => id));
  for (const [id, { kind, startedMs }] of workflows) {
    if (known.has(id) || nowMs() - startedMs < SETTLED_MS) continue;
    if ((await objectExists(database, kind, id)) || !(await isRunning(client, id))) continue;
    problems.push({ problem: 'object_missing', kind, id, status: null });
  }
  return { objects, workflows: workflows.size, problems };
}

async function listOpenWorkflows(client: Client): Promise<ReadonlyMap<string, OpenWorkflow>> {
  const types = Object.keys(KINDS)
    .map((type) => `"${type}"`)
    .join(', ');
  const query = `WorkflowType IN (${types}) AND ExecutionStatus = "Running"`;
  const workflows = new Map<string, OpenWorkflow>();
  for await (const { workflowId, type, startTime } of client.workflow.list({ query })) {
    const kind = KINDS[type];
    if (kind !== undefined) workflows.set(workflowId, { kind, startedMs: startTime.getTime() });
  }
  return workflows;
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
