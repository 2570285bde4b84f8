// What people do about alerts: look after one, and resolve it with a reason.
import { appendAudit } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import { alertById, resolveAlert } from '../../store/alerts/list.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import { inTransaction } from '../../store/transactions.js';

export type AlertOutcome = 'done' | 'no_such_alert' | 'not_permitted';

/** Takes the alert over, or gives it back. One that is resolved stays as it is. */
export async function assignAlert(
  database: Database,
  actor: Actor,
  { id, isTaken }: { readonly id: string; readonly isTaken: boolean },
): Promise<AlertOutcome> {
  const refusal = await refusalOf(database, actor, id);
  if (refusal !== null) return refusal;
  await inTransaction(database, async (transaction) => {
    const assignedTo = isTaken ? actor.handle : null;
    const where = { id, resolvedAt: null };
    const [alert] = await transaction.alert.updateManyAndReturn({ where, data: { assignedTo } });
    if (alert === undefined) return;
    await appendAudit(transaction, {
      person: actor,
      action: 'alert.assign',
      operationId: alert.operationId,
      subject: id,
      detail: { to: assignedTo },
    });
  });
  return 'done';
}

/** Resolves the alert. */
export async function resolve(
  database: Database,
  actor: Actor,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<AlertOutcome> {
  const refusal = await refusalOf(database, actor, id);
  if (refusal !== null) return refusal;
  await resolveAlert(database, { id, person: actor, reason });
  return 'done';
}

async function refusalOf(database: Database, actor: Actor, id: string): Promise<AlertOutcome | null> {
  const alert = await alertById(database, id);
  if (alert === null) return 'no_such_alert';
  return (await mayNow(database, actor, 'alert.resolve', alert.operationId)) ? null : 'not_permitted';
}
