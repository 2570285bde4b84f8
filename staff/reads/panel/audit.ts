// The audit trail as the panel shows it.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import type { JsonValue } from '../../../domain/rules/canonical-json.js';
import { isMeans, type StaffMeans } from '../../../domain/staff.js';
import { auditEntriesBefore, type AuditFilter } from '../../../store/audit/search.js';
import type { Database } from '../../../store/database.js';
import { lastOutcome } from '../../../store/operations/checks.js';
import { operationNames } from '../../../store/operations/operations.js';
import type { Viewer } from '../../viewer.js';
import { readCursor, writeCursor } from './cursor.js';
import { namedOperation } from './named-operation.js';

const PAGE_SIZE = 50;

/** The requested entries that the person may see. */
export function auditOf({ reach }: Viewer, { operation, subject, person }: Asked<'exportAudit'>['query']): AuditFilter {
  return { reach, operationId: operation, subject, person };
}

/** A page of the audit trail, newest first. */
export async function readAudit(
  database: Database,
  viewer: Viewer,
  { cursor, ...filters }: Asked<'readAudit'>['query'],
): Promise<Answering<'readAudit'> | 'bad_cursor'> {
  const place = cursor === undefined ? null : (readCursor(cursor, 1)?.[0] ?? 'bad_cursor');
  if (place !== null && !/^\d{1,18}$/.test(place)) return 'bad_cursor';
  const page = { before: place === null ? null : BigInt(place), take: PAGE_SIZE + 1 };
  const [rows, check] = await Promise.all([
    auditEntriesBefore(database, auditOf(viewer, filters), page),
    lastOutcome(database, 'audit'),
  ]);
  const shown = rows.slice(0, PAGE_SIZE);
  const names = await operationNames(
    database,
    shown.flatMap(({ operationId }) => operationId ?? []),
  );
  const last = shown.at(-1);
  return {
    items: shown.map((entry) => ({
      sequence: entry.sequence.toString(),
      at: entry.at,
      person: entry.person,
      action: entry.action,
      operation: namedOperation(entry.operationId, names),
      subject: entry.subject,
      ...detailOf(entry),
      hash: entry.hash,
    })),
    next: rows.length > PAGE_SIZE && last !== undefined ? writeCursor([last.sequence.toString()]) : null,
    verified: check === null ? null : { at: check.ranAt, problems: check.problems },
  };
}

/** How the person of an entry was authenticated; `null` if that is not recorded. */
export function meansOf(entry: { readonly detail: string }): StaffMeans | null {
  return detailOf(entry).means;
}

function detailOf({ detail: text }: { readonly detail: string }): { means: StaffMeans | null; detail: JsonValue } {
  const detail = JSON.parse(text) as JsonValue;
  if (typeof detail !== 'object' || detail === null || !('means' in detail) || !isMeans(detail.means))
    return { means: null, detail };
  const { means, ...others } = detail;
  return { means, detail: others };
}
