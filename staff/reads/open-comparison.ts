// Compares the open payments of PostgreSQL with the open workflows of Temporal. Rows and workflows are written one
// after the other, so they can briefly differ by a step. They differ permanently after only one of the two was
// restored, or when a workflow was terminated by hand.
import type { Client } from '@temporalio/client';
import { DEPOSIT_WORKFLOW, WITHDRAWAL_WORKFLOW } from '../../contract/temporal/payment.js';
import { RULE_CHANGE_WORKFLOW } from '../../contract/temporal/rule-change.js';
import { FAILED_TASKS_ALERTED, openRunOf, progressOf } from '../../platform/temporal/open-runs.js';
import type { Database } from '../../store/database.js';
import {
  isStillOpen,
  objectExists,
  type ObjectKind,
  type OpenObject,
  readOpenObjects,
} from '../../store/payments/open-objects.js';

export interface OpenProblem {
  /**
   * `workflow_missing`: an open object has no workflow. `workflow_impostor`: it has one that the gateway did not start.
   * `workflow_failing`: the tasks of its workflow fail again and again. `object_missing`: a workflow's object has no
   * row.
   */
  readonly problem: 'workflow_missing' | 'workflow_impostor' | 'workflow_failing' | 'object_missing';
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
const OBJECTS_AT_ONCE = 8;

/** Every difference that is not a step in progress: each one that the lists show is checked again on its own. */
export async function compareOpen(
  database: Database,
  client: Client,
  nowMs: () => number = Date.now,
): Promise<OpenComparison> {
  const workflows = await listOpenWorkflows(client);
  const objects = await readOpenObjects(database);
  const problems: OpenProblem[] = [];
  for (let from = 0; from < objects.length; from += OBJECTS_AT_ONCE) {
    const some = objects.slice(from, from + OBJECTS_AT_ONCE);
    const seen = await Promise.all(some.map((object) => problemOf(client, object)));
    for (const [index, object] of some.entries()) {
      const problem = seen[index];
      if (!problem || !(await isStillOpen(database, object))) continue;
      problems.push({ problem, kind: object.kind, id: object.id, status: object.status });
    }
  }
  const running = (id: string) => client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () => progressOf(client, id));
  const known = new Set(objects.map(({ id }) => id));
  for (const [id, { kind, startedMs }] of workflows) {
    if (known.has(id) || nowMs() - startedMs < SETTLED_MS) continue;
    if ((await objectExists(database, kind, id)) || (await running(id)) === null) continue;
    problems.push({ problem: 'object_missing', kind, id, status: null });
  }
  return { objects, workflows: workflows.size, problems };
}

/** The order's proof is left to the hourly check: it needs the keys, and this works without them. */
async function problemOf(client: Client, object: OpenObject): Promise<OpenProblem['problem'] | null> {
  const run = await client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () => openRunOf(client, object, () => true));
  if (run === null) return 'workflow_missing';
  if (run.impostor !== null) return 'workflow_impostor';
  return run.failedTasks >= FAILED_TASKS_ALERTED ? 'workflow_failing' : null;
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
