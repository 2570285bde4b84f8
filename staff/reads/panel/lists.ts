// The block and review lists of an operation as the panel shows them.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import { operationById } from '../../../store/operations/operations.js';
import { readListEntries } from '../../../store/rules/lists.js';
import { sees, type Viewer } from '../../viewer.js';
import { readCursor, writeCursor } from './cursor.js';
import type { PaymentReads } from './payment.js';

const PAGE_SIZE = 50;

/** The entries of block and review lists, without their values. Null: no such operation for the viewer. */
export async function readLists(
  { database, sealer }: PaymentReads,
  viewer: Viewer,
  operationId: string,
  { list, kind, cursor }: Asked<'readLists'>['query'],
): Promise<Answering<'readLists'> | 'bad_cursor' | null> {
  const operation = sees(viewer, operationId) ? await operationById(database, operationId) : null;
  if (operation === null) return null;
  const skip = cursor === undefined ? 0 : Number(readCursor(cursor, 1)?.[0] ?? Number.NaN);
  if (!Number.isSafeInteger(skip) || skip < 0) return 'bad_cursor';
  const rows = await readListEntries(database, sealer, {
    operationId,
    list: list ?? null,
    kind: kind ?? null,
    take: PAGE_SIZE + 1,
    skip,
  });
  return {
    operation: { id: operationId, name: operation.name },
    items: rows.slice(0, PAGE_SIZE) as Answering<'readLists'>['items'],
    next: rows.length > PAGE_SIZE ? writeCursor([String(skip + PAGE_SIZE)]) : null,
  };
}
