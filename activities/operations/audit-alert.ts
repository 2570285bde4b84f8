// The alert that the audit trail, its seals or their export were changed. The nightly verification and the sealing
// process raise it.
import type { Logger } from 'pino';
import { alertOf } from '../../domain/alert-records.js';
import type { AuditFinding } from '../../domain/audit-findings.js';
import type { Database } from '../../store/database.js';
import { raiseAlert } from '../alerts.js';

/** The subject of the alert, because the audit trail belongs to no operation. */
const AUDIT_TRAIL = 'audit';

export function raiseAuditAlert(
  database: Database,
  logger: Logger,
  { first, problems, at }: { readonly first: AuditFinding; readonly problems: number; readonly at: string },
): Promise<void> {
  const { problem, sequence: entry, seal = null } = first;
  return raiseAlert(database, logger, {
    ...alertOf('AUDIT_CHAIN_BROKEN', 'broken', { count: problems, problem, entry, seal }),
    occasion: null,
    operationId: null,
    objectId: AUDIT_TRAIL,
    at,
  });
}
