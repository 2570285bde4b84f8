// Keeps an operator's conformance report as evidence that it may go live: its digest and outcome in the audit trail.
import { appendAudit } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import { operationExists } from '../../store/operations/operations.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';

/** A report whose signature was verified, and in which every check passed. */
export interface PassedReport {
  readonly operator: string;
  readonly run: string;
  readonly endedAt: string;
  readonly contract: string;
  readonly checks: number;
  /** Lower-case hex SHA-256 of the file. */
  readonly digest: string;
  /** Of the key that signed it. */
  readonly key: string;
}

export type ConformanceRecorded = { readonly kind: 'recorded' | 'no_such_operation' | 'not_permitted' };

/** Records it. The file itself is kept with the go-live papers: the digest says which file it was. */
export async function recordConformance(
  database: Database,
  person: Actor,
  operationId: string,
  { endedAt, ...report }: PassedReport,
): Promise<ConformanceRecorded> {
  if (!(await operationExists(database, operationId))) return { kind: 'no_such_operation' };
  if (!(await mayNow(database, person, 'conformance.record', operationId))) return { kind: 'not_permitted' };
  const detail = { ...report, ended_at: endedAt };
  await appendAudit(database, { person, action: 'conformance.record', operationId, subject: operationId, detail });
  return { kind: 'recorded' };
}
