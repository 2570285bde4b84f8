// An operation's cash movements: money that was moved and is no payment, newest first.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import type { Database } from '../../../store/database.js';
import { readCashMovements } from '../../../store/ledger/cash-movements.js';
import { operationExists } from '../../../store/operations/operations.js';
import { sees, type Viewer } from '../../viewer.js';
import { readCursor, writeCursor } from './cursor.js';

const PAGE_SIZE = 50;

/** Null: there is no such operation, or the viewer may not see it. */
export async function readCashPage(
  database: Database,
  viewer: Viewer,
  operationId: string,
  { cursor }: Asked<'readCashMovements'>['query'],
): Promise<Answering<'readCashMovements'> | 'bad_cursor' | null> {
  if (!sees(viewer, operationId) || !(await operationExists(database, operationId))) return null;
  const [at = '', id = ''] = cursor === undefined ? [] : (readCursor(cursor, 2) ?? []);
  if (cursor !== undefined && (Number.isNaN(Date.parse(at)) || id === '')) return 'bad_cursor';
  const before = cursor === undefined ? null : { createdAt: new Date(at), id };
  const rows = await readCashMovements(database, { operationId, take: PAGE_SIZE + 1, before });
  const items = rows.slice(0, PAGE_SIZE);
  const last = items.at(-1);
  return {
    items: items.map(({ id, kind, amount, document, reason, requested_by, approved_by, created_at }) => ({
      id,
      kind,
      amount,
      document,
      reason,
      requested_by,
      approved_by,
      created_at,
    })),
    next: rows.length > PAGE_SIZE && last !== undefined ? writeCursor([last.created_at.toISOString(), last.id]) : null,
  };
}
