// Records every act of a break-glass session in the audit trail, with the session's ticket.
import { appendAudit } from '../audit/audit.js';
import type { Transaction } from '../transactions.js';

/** The audit entry of an act in such a session, beside that of what it does. */
export async function noteBreakGlassAct(
  transaction: Transaction,
  act: {
    readonly actor: { readonly handle: string; readonly sessionId: string | null };
    readonly kind: string;
    readonly operationId: string | null;
    readonly subjectId: string;
  },
): Promise<void> {
  const { actor, kind, operationId, subjectId } = act;
  const { id: session, ticket } = await transaction.staffSession.findUniqueOrThrow({
    where: { id: actor.sessionId ?? '' },
  });
  await appendAudit(transaction, {
    person: actor.handle,
    action: 'staff.break_glass_act',
    operationId,
    subject: subjectId,
    detail: { act: kind, ticket, session },
  });
}
