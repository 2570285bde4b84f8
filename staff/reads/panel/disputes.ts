// An operation's disputed payments, newest first.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import type { DisputeReason, DisputeStatus } from '../../../domain/disputes.js';
import type { Database } from '../../../store/database.js';
import { readDisputes } from '../../../store/disputes/list.js';
import { operationExists } from '../../../store/operations/operations.js';
import { sees, type Viewer } from '../../viewer.js';
import { readCursor, writeCursor } from './cursor.js';

const PAGE_SIZE = 50;

/** Null: there is no such operation, or the viewer may not see it. */
export async function readDisputePage(
  database: Database,
  viewer: Viewer,
  operationId: string,
  { cursor }: Asked<'readDisputes'>['query'],
): Promise<Answering<'readDisputes'> | 'bad_cursor' | null> {
  if (!sees(viewer, operationId) || !(await operationExists(database, operationId))) return null;
  const [at = '', id = ''] = cursor === undefined ? [] : (readCursor(cursor, 2) ?? []);
  if (cursor !== undefined && (Number.isNaN(Date.parse(at)) || id === '')) return 'bad_cursor';
  const before = cursor === undefined ? null : { openedAt: new Date(at), id };
  const rows = await readDisputes(database, { operationId, all: true, take: PAGE_SIZE + 1, before });
  const items = rows.slice(0, PAGE_SIZE);
  const last = items.at(-1);
  return {
    items: items.map((row) => ({
      id: row.dispute_id,
      provider: row.provider,
      status: row.status as DisputeStatus,
      reason: row.reason as DisputeReason | null,
      deposit_id: row.deposit_id!,
      amount: row.amount,
      opened_at: row.opened_at,
      due_at: row.due_at,
    })),
    next: rows.length > PAGE_SIZE && last ? writeCursor([last.opened_at.toISOString(), last.dispute_id]) : null,
  };
}
