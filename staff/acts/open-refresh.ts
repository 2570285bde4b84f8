// Has every open payment ask its provider what happened, after payments and workflows were compared and a worker has
// ended and reopened what the hourly check does: for example after a restore.
import type { Client } from '@temporalio/client';
import {
  OPEN_CHECK_BY_HAND,
  OPEN_CHECK_START,
  OPEN_CHECK_WORKFLOW,
  type OpenCheckInput,
  type OpenCheckResult,
} from '../../contract/temporal/scheduled-work.js';
import { TASK_QUEUES } from '../../contract/temporal/workers.js';
import { ask, DEFAULT_DEADLINES } from '../../platform/temporal/calls.js';
import { DepositWorkflows, WithdrawalWorkflows } from '../../platform/temporal/payment-workflows.js';
import { appendAudit } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import { operationNames } from '../../store/operations/operations.js';
import { readPaymentToStart } from '../../store/payments/payment-ids.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import { compareOpen, type OpenComparison } from '../reads/open-comparison.js';
import type { ActServices } from './workflow-updates.js';

/** A worker looks at some hundred payments in a second. */
const CHECK_TIMEOUT_MS = 5 * 60_000;

export type OpenRefreshed =
  | ({
      readonly kind: 'refreshed';
      /** What the hourly check, run now, found and mended; `null`: no worker has ended it in time. */
      readonly check: OpenCheckResult | null;
      readonly refreshed: number;
      /** The ids of the payments whose workflows did not answer. */
      readonly unanswered: readonly string[];
    } & OpenComparison)
  | { readonly kind: 'not_permitted' };

/** `onProgress` is told how many of the open objects were looked at. */
export async function refreshOpen(
  { database, withTemporal }: Pick<ActServices, 'database' | 'withTemporal'>,
  person: Actor,
  onProgress: (done: number, of: number) => void,
): Promise<OpenRefreshed> {
  const action = 'workflow.refresh';
  if (!(await mayNow(database, person, action, null))) return { kind: 'not_permitted' };
  return withTemporal(async (client) => {
    const compared = await compareOpen(database, client);
    const objects = compared.objects.length;
    await appendAudit(database, { person, action, operationId: null, subject: null, detail: { objects } });
    // First: a workflow that is not the payment's would be asked, and answer.
    const check = await checkOpen(client);
    const refreshed = await refreshAll(database, client, compared.objects, (done) => onProgress(done, objects));
    return { kind: 'refreshed', check, ...compared, ...refreshed };
  });
}

/** Has a worker run the hourly check now. It has the rights and the keys that this needs. */
async function checkOpen({ workflow }: Client): Promise<OpenCheckResult | null> {
  const reply = await ask(workflow, Date.now() + CHECK_TIMEOUT_MS, () =>
    workflow.execute<(input: OpenCheckInput) => Promise<OpenCheckResult>>(OPEN_CHECK_WORKFLOW, {
      workflowId: OPEN_CHECK_BY_HAND,
      workflowIdConflictPolicy: 'USE_EXISTING',
      taskQueue: TASK_QUEUES.payments,
      args: [OPEN_CHECK_START],
    }),
  );
  return reply.kind === 'answer' ? reply.value : null;
}

/** Has every open payment look at its provider; a payment without a workflow is reopened from its row. */
export async function refreshAll(
  database: Database,
  client: Client,
  objects: OpenComparison['objects'],
  onProgress: (done: number) => void,
): Promise<{ refreshed: number; unanswered: string[] }> {
  const deposits = new DepositWorkflows(client.workflow, DEFAULT_DEADLINES);
  const withdrawals = new WithdrawalWorkflows(client.workflow, DEFAULT_DEADLINES);
  const names = await operationNames(
    database,
    objects.map(({ operationId }) => operationId),
  );
  const unanswered: string[] = [];
  let refreshed = 0;
  for (const { kind, id } of objects) {
    const payment = kind === 'rule_change' ? null : await readPaymentToStart(database, kind, id);
    if (payment === null) continue;
    const operationName = names.get(payment.operationId) ?? payment.operationId;
    const refresh = () => (kind === 'deposit' ? deposits : withdrawals).refresh(payment, operationName);
    // A fault of one payment must not stop the check of the others.
    const isAnswered = await refresh().then(
      (reply) => reply.kind !== 'unavailable',
      () => false,
    );
    if (isAnswered) refreshed += 1;
    else unanswered.push(id);
    onProgress(refreshed + unanswered.length);
  }
  return { refreshed, unanswered };
}
