// Alerts, each with its meaning and what is safe to do about it; and the audit trail.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import { ALERTS, type AlertDefinition } from '../../../domain/alerts.js';
import type { JsonValue } from '../../../domain/rules/canonical-json.js';
import { isMeans, type StaffMeans } from '../../../domain/staff.js';
import type { Alert, Prisma } from '../../../prisma/generated/client.js';
import type { Database } from '../../../store/database.js';
import { operationNames } from '../../../store/operations/operations.js';
import { inReach } from '../../../store/reach-sql.js';
import { sees, type Viewer } from '../../viewer.js';
import { readCursor, writeCursor } from './cursor.js';

const PAGE_SIZE = 50;

export async function readAlerts(
  database: Database,
  viewer: Viewer,
  { operation, resolved, cursor }: Asked<'readAlerts'>['query'],
): Promise<Answering<'readAlerts'> | 'bad_cursor'> {
  const place = cursor === undefined ? null : (readCursor(cursor, 2) ?? 'bad_cursor');
  if (place === 'bad_cursor' || (place !== null && Number.isNaN(Date.parse(place[0] ?? '')))) return 'bad_cursor';
  const conditions: Prisma.AlertWhereInput[] = [
    inReach(viewer.reach),
    resolved === 'no' ? { resolvedAt: null } : { resolvedAt: { not: null } },
    ...(operation === undefined ? [] : [{ operationId: operation }]),
    ...(place === null ? [] : [beyond(new Date(place[0] ?? ''), place[1] ?? '')]),
  ];
  const rows = await database.alert.findMany({
    where: { AND: conditions },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: PAGE_SIZE + 1,
  });
  const shown = rows.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  return {
    items: await present(database, shown),
    next: rows.length > PAGE_SIZE && last !== undefined ? writeCursor([last.createdAt.toISOString(), last.id]) : null,
  };
}

function beyond(createdAt: Date, id: string): Prisma.AlertWhereInput {
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] };
}

/** One alert; null if there is none, or the viewer may not see it. */
export async function readAlert(database: Database, viewer: Viewer, id: string) {
  const row = await database.alert.findUnique({ where: { id } });
  return row === null || !sees(viewer, row.operationId) ? null : ((await present(database, [row]))[0] ?? null);
}

async function present(database: Database, rows: readonly Alert[]) {
  const names = await operationNames(
    database,
    rows.flatMap(({ operationId }) => operationId ?? []),
  );
  return rows.map((row) => {
    const known = (ALERTS as Readonly<Record<string, AlertDefinition | undefined>>)[row.kind];
    return {
      id: row.id,
      kind: row.kind,
      operation: named(row.operationId, names),
      object_id: row.objectId,
      detail: row.detail,
      meaning: known?.meaning ?? '',
      safe_action: known?.safeAction ?? '',
      lasts: known?.kind ?? ('incident' as const),
      created_at: row.createdAt,
      assigned_to: row.assignedTo,
      resolved_at: row.resolvedAt,
      resolved_by: row.resolvedBy,
      resolution: row.resolution,
    };
  });
}

function named(id: string | null, names: ReadonlyMap<string, string>) {
  return id === null ? null : { id, name: names.get(id) ?? id };
}

/** The entries that the person may see and asks for. */
export function auditOf(
  { reach }: Viewer,
  { operation, subject, person }: Asked<'exportAudit'>['query'],
): Prisma.AuditEntryWhereInput {
  return {
    AND: [
      inReach(reach),
      ...(operation === undefined ? [] : [{ operationId: operation }]),
      ...(subject === undefined ? [] : [{ subject }]),
      ...(person === undefined ? [] : [{ person }]),
    ],
  };
}

/** A page of the audit trail, newest first. */
export async function readAudit(
  database: Database,
  viewer: Viewer,
  { cursor, ...filters }: Asked<'readAudit'>['query'],
): Promise<Answering<'readAudit'> | 'bad_cursor'> {
  const place = cursor === undefined ? null : (readCursor(cursor, 1)?.[0] ?? 'bad_cursor');
  if (place !== null && !/^\d{1,18}$/.test(place)) return 'bad_cursor';
  const conditions: Prisma.AuditEntryWhereInput[] = [
    auditOf(viewer, filters),
    ...(place === null ? [] : [{ sequence: { lt: BigInt(place) } }]),
  ];
  const [rows, check] = await Promise.all([
    database.auditEntry.findMany({
      where: { AND: conditions },
      orderBy: { sequence: 'desc' },
      take: PAGE_SIZE + 1,
    }),
    database.selfCheck.findFirst({ where: { name: 'audit' } }),
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
      operation: named(entry.operationId, names),
      subject: entry.subject,
      ...told(entry),
      hash: entry.hash,
    })),
    next: rows.length > PAGE_SIZE && last !== undefined ? writeCursor([last.sequence.toString()]) : null,
    verified: check === null ? null : { at: check.ranAt, problems: check.problems },
  };
}

/** How the person of an entry was recognised; null where that is not told. */
export function meansOf(entry: { readonly detail: string }): StaffMeans | null {
  return told(entry).means;
}

function told({ detail: text }: { readonly detail: string }): { means: StaffMeans | null; detail: JsonValue } {
  const detail = JSON.parse(text) as JsonValue;
  if (typeof detail !== 'object' || detail === null || !('means' in detail) || !isMeans(detail.means))
    return { means: null, detail };
  const { means, ...others } = detail;
  return { means, detail: others };
}
