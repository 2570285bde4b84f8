// Break-glass sessions: begun with a ticket while no one can sign, for an hour. Every act in them names the ticket
// (break-glass-acts.ts).
import { randomUUID } from 'node:crypto';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { inTransaction } from '../transactions.js';
import { type NewSession, newToken } from './sessions.js';

export interface BreakGlass {
  readonly handle: string;
  /** The ticket of the incident, as the company's tracker names it. */
  readonly ticket: string;
  readonly reason: string;
}

/** Begins the session, in one transaction with its audit entry. A trigger raises the alert for all admins. */
export async function breakGlass(database: Database, { handle, ticket, reason }: BreakGlass): Promise<NewSession> {
  const [id, { token, tokenHash }] = [`ses_${randomUUID()}`, newToken()];
  await inTransaction(database, async (transaction) => {
    await transaction.staffSession.create({
      data: { id, tokenHash, staffHandle: handle, means: 'break_glass', ticket },
    });
    await appendAudit(transaction, {
      person: handle,
      action: 'staff.break_glass',
      operationId: null,
      subject: id,
      detail: { ticket, reason },
    });
  });
  return { handle, token };
}
