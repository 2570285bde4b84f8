// What people do about alerts: look after one, and resolve it with a reason.
import type { StaysOpen } from '../../domain/alerts.js';
import { appendAudit } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import { alertById, assignOpenAlert, resolveAlert } from '../../store/alerts/list.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import { inTransaction, type Transaction } from '../../store/transactions.js';

export type AlertOutcome =
  | 'done'
  | 'no_such_alert'
  | 'not_permitted'
  /** It is assigned to another person than the caller saw. */
  | 'stale'
  /** It is resolved, or its condition has ended. */
  | 'resolved_before'
  | StaysOpen;

/**
 * Takes the alert over, or gives it back.
 * @param seen who looked after it when the person saw it: a colleague who took it since keeps it
 */
export async function assignAlert(
  database: Database,
  actor: Actor,
  { id, isTaken, seen }: { readonly id: string; readonly isTaken: boolean; readonly seen: string | null },
): Promise<AlertOutcome> {
  const refusal = await refusalOf(database, actor, id);
  if (refusal !== null) return refusal;
  return inTransaction(database, async (transaction) => {
    const assignedTo = isTaken ? actor.handle : null;
    const alert = await assignOpenAlert(transaction, { id, seen, assignedTo });
    if (alert === null) return whyNot(transaction, id);
    await appendAudit(transaction, {
      person: actor,
      action: 'alert.assign',
      operationId: alert.operationId,
      subject: id,
      detail: { to: assignedTo },
    });
    return 'done';
  });
}

async function whyNot(transaction: Transaction, id: string): Promise<AlertOutcome> {
  const alert = await alertById(transaction, id);
  return alert === null || alert.resolvedAt === null ? 'stale' : 'resolved_before';
}

/** Resolves the alert. */
export async function resolve(
  database: Database,
  actor: Actor,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<AlertOutcome> {
  const refusal = await refusalOf(database, actor, id);
  if (refusal !== null) return refusal;
  const resolved = await resolveAlert(database, { id, person: actor, reason });
  if (resolved.kind !== 'resolved') return resolved.kind;
  return resolved.isNew ? 'done' : 'resolved_before';
}

async function refusalOf(database: Database, actor: Actor, id: string): Promise<AlertOutcome | null> {
  const alert = await alertById(database, id);
  if (alert === null) return 'no_such_alert';
  return (await mayNow(database, actor, 'alert.resolve', alert.operationId)) ? null : 'not_permitted';
}
