// What people do about alerts: look after one, and resolve it with a reason.
import { isAbout } from '../../domain/abuse-alerts.js';
import { appendAudit } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import { alertById, assignOpenAlert, resolveAlert, type ResolutionResult } from '../../store/alerts/list.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import { inTransaction, type Transaction } from '../../store/transactions.js';

export type AssignmentResult =
  | 'done'
  | 'no_such_alert'
  | 'not_permitted'
  /** An alert of abuse that is about this person. */
  | 'about_you'
  /** It is assigned to another person than the caller saw. */
  | 'stale'
  /** It is resolved, or its condition has ended. */
  | 'resolved_before';

/**
 * Takes the alert, or gives it back.
 * @param seen who had it when the person saw it: a colleague who took it since keeps it
 */
export async function assignAlert(
  database: Database,
  actor: Actor,
  { id, isTaken, seen }: { readonly id: string; readonly isTaken: boolean; readonly seen: string | null },
): Promise<AssignmentResult> {
  const refusal = await refusalOf(database, actor, id);
  if (refusal !== null) return refusal;
  return inTransaction(database, async (transaction) => {
    const found = await alertById(transaction, id);
    if (isTaken && found !== null && isAbout(found, actor.handle)) return 'about_you';
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

async function whyNot(transaction: Transaction, id: string): Promise<AssignmentResult> {
  const alert = await alertById(transaction, id);
  return alert === null || alert.resolvedAt === null ? 'stale' : 'resolved_before';
}

/** Resolves the alert; `reason` may be left out by the command. */
export async function resolve(
  database: Database,
  actor: Actor,
  { id, reason }: { readonly id: string; readonly reason: string | null },
): Promise<ResolutionResult | { readonly kind: 'not_permitted' }> {
  const refusal = await refusalOf(database, actor, id);
  return refusal === null ? resolveAlert(database, { id, person: actor, reason }) : { kind: refusal };
}

async function refusalOf(
  database: Database,
  actor: Actor,
  id: string,
): Promise<'no_such_alert' | 'not_permitted' | null> {
  const alert = await alertById(database, id);
  if (alert === null) return 'no_such_alert';
  return (await mayNow(database, actor, 'alert.resolve', alert.operationId)) ? null : 'not_permitted';
}
