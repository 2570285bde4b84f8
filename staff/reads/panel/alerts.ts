// Alerts as the panel shows them: each with its meaning and what is safe to do about it.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import { isAbout, whyStaysOpen } from '../../../domain/abuse-alerts.js';
import { placeOf } from '../../../domain/alert-places.js';
import { alertDefinition } from '../../../domain/alerts.js';
import type { Alert } from '../../../prisma/generated/client.js';
import { alertById, alertRows, waitsOfDeposits, withMoneyHeld } from '../../../store/alerts/list.js';
import type { Database } from '../../../store/database.js';
import { operationNames } from '../../../store/operations/operations.js';
import { may, sees, type Viewer } from '../../viewer.js';
import { readCursor, writeCursor } from './cursor.js';
import { namedOperation } from './named-operation.js';
import { possibility } from './possibilities.js';

const PAGE_SIZE = 50;

export async function readAlerts(
  database: Database,
  viewer: Viewer,
  { id, operation, resolved, cursor }: Asked<'readAlerts'>['query'],
  now: Date,
): Promise<Answering<'readAlerts'> | 'bad_cursor'> {
  const place = cursor === undefined ? null : (readCursor(cursor, 2) ?? 'bad_cursor');
  if (place === 'bad_cursor' || (place !== null && Number.isNaN(Date.parse(place[0] ?? '')))) return 'bad_cursor';
  const rows = await alertRows(database, {
    reach: viewer.reach,
    id,
    operationId: operation,
    isResolved: resolved !== 'no',
    after: place === null ? null : { createdAt: new Date(place[0] ?? ''), id: place[1] ?? '' },
    take: PAGE_SIZE + 1,
  });
  const shown = rows.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  return {
    items: await present(database, viewer, shown, now),
    next: rows.length > PAGE_SIZE && last !== undefined ? writeCursor([last.createdAt.toISOString(), last.id]) : null,
  };
}

/** One alert; `null` if there is none, or the viewer may not see it. */
export async function readAlert(database: Database, viewer: Viewer, id: string, now: Date) {
  const row = await alertById(database, id);
  return row === null || !sees(viewer, row.operationId)
    ? null
    : ((await present(database, viewer, [row], now))[0] ?? null);
}

async function present(database: Database, viewer: Viewer, rows: readonly Alert[], now: Date) {
  const [names, held, waits] = await Promise.all([
    operationNames(
      database,
      rows.flatMap(({ operationId }) => operationId ?? []),
    ),
    withMoneyHeld(
      database,
      rows.filter(({ resolvedAt }) => resolvedAt === null).map(({ id }) => id),
    ),
    waitsOfDeposits(
      database,
      rows.flatMap(({ objectId }) => objectId ?? []),
    ),
  ]);
  return rows.map((row) => {
    const known = alertDefinition(row.kind);
    return {
      id: row.id,
      kind: row.kind,
      operation: namedOperation(row.operationId, names),
      object_id: row.objectId,
      place: placeOf({ ...row, waitsIn: waits.get(row.objectId ?? '') ?? null }),
      detail: row.detail,
      meaning: known?.meaning ?? '',
      safe_action: known?.safeAction ?? '',
      lasts: known?.kind ?? ('incident' as const),
      created_at: row.createdAt,
      assigned_to: row.assignedTo,
      resolved_at: row.resolvedAt,
      resolved_by: row.resolvedBy,
      resolution: row.resolution,
      acts: actsOn(viewer, row, now, held.has(row.id)),
    };
  });
}

/** What the viewer may do about it, and why not. */
function actsOn(viewer: Viewer, row: Alert, now: Date, isMoneyHeld: boolean) {
  const over = row.resolvedAt === null ? null : ('other_state' as const);
  const role = may(viewer, 'alert.resolve', row.operationId) ? null : ('not_your_role' as const);
  return {
    assign: possibility(over, role, isAbout(row, viewer.handle) ? 'about_you' : null),
    resolve: possibility(over, role, whyStaysOpen(row, viewer.handle, now) ?? (isMoneyHeld ? 'money_held' : null)),
  };
}
