// Searches the entries of the audit trail that a person may see.
import type { Reach } from '../../domain/staff.js';
import type { AuditEntry, Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { inReach } from '../reach-sql.js';

export interface AuditFilter {
  readonly reach: Reach;
  readonly operationId: string | undefined;
  readonly subject: string | undefined;
  readonly person: string | undefined;
}

function matches({ reach, operationId, subject, person }: AuditFilter): Prisma.AuditEntryWhereInput {
  return {
    AND: [
      inReach(reach),
      ...(operationId === undefined ? [] : [{ operationId }]),
      ...(subject === undefined ? [] : [{ subject }]),
      ...(person === undefined ? [] : [{ person }]),
    ],
  };
}

/** Entries before a sequence, newest first; with `null` from the newest one on. */
export function auditEntriesBefore(
  database: Database,
  filter: AuditFilter,
  { before, take }: { readonly before: bigint | null; readonly take: number },
): Promise<AuditEntry[]> {
  return database.auditEntry.findMany({
    where: { AND: [matches(filter), ...(before === null ? [] : [{ sequence: { lt: before } }])] },
    orderBy: { sequence: 'desc' },
    take,
  });
}

/** The sequence of the newest entry; `null` if there is none. */
export async function newestAuditSequence(database: Database, filter: AuditFilter): Promise<bigint | null> {
  const newest = await database.auditEntry.findFirst({ where: matches(filter), orderBy: { sequence: 'desc' } });
  return newest?.sequence ?? null;
}

/** Entries after one sequence and up to another, oldest first. */
export function auditEntriesAfter(
  database: Database,
  filter: AuditFilter,
  { after, through, take }: { readonly after: bigint; readonly through: bigint; readonly take: number },
): Promise<AuditEntry[]> {
  return database.auditEntry.findMany({
    where: { AND: [matches(filter), { sequence: { gt: after, lte: through } }] },
    orderBy: { sequence: 'asc' },
    take,
  });
}
