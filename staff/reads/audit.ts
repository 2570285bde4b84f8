// The entries of the audit trail, newest first.
import { listAudit } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import { findByExternalId } from '../../store/payments/payment-ids.js';

type AuditEntries = Awaited<ReturnType<typeof listAudit>>;

export type AuditRead =
  | { readonly kind: 'read'; readonly entries: AuditEntries }
  /** A deposit and a withdrawal of the operation have this external id. */
  | { readonly kind: 'two_payments' };

/** `subject`: an id, or with an operation also the external id of one of its payments; `null` for every entry. */
export async function readAuditEntries(
  database: Database,
  { operationId, subject, limit }: { operationId: string | null; subject: string | null; limit: number },
): Promise<AuditRead> {
  const payments =
    operationId === null || subject === null
      ? []
      : await findByExternalId(database, operationId, subject, ['deposit', 'withdrawal']);
  if (payments.length > 1) return { kind: 'two_payments' };
  const entries = await listAudit(database, { operationId, subject: payments[0]?.id ?? subject, limit });
  return { kind: 'read', entries };
}
