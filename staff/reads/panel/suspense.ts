// An operation's late and extra payments of which something is left in suspense, oldest first, with their payers
// masked.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import type { Database } from '../../../store/database.js';
import type { DepositPayer } from '../../../domain/payments/deposit.js';
import { maskedDocument, maskedName } from '../../../domain/masks.js';
import type { Sealer } from '../../../store/sealing/sealer.js';
import { exitsUnderWay, payerOfItem, presentItem, readItems } from '../../../store/ledger/suspense.js';
import type { Viewer } from '../../viewer.js';
import { readOperationPage } from './operation-page.js';

/** `null` if there is no such operation, or the viewer may not see it. */
export async function readSuspensePage(
  { database, sealer }: { readonly database: Database; readonly sealer: Sealer },
  viewer: Viewer,
  operationId: string,
  { cursor }: Asked<'readSuspense'>['query'],
): Promise<Answering<'readSuspense'> | 'bad_cursor' | null> {
  const page = await readOperationPage(
    database,
    viewer,
    { operationId, cursor },
    {
      pageSize: 50,
      read: (take, after) => readItems(database, { operationId, isOpen: true, take, after }),
      placeOf: (row) => ({ at: row.received_at, key: row.end_to_end_id }),
      present: (row) => ({ ...presentItem(row), payer: maskedPayer(payerOfItem(row, sealer)) }),
    },
  );
  if (page === null || page === 'bad_cursor') return page;
  const payments = page.items.map(({ end_to_end_id: payment }) => payment);
  const underWay = await exitsUnderWay(database, operationId, payments);
  return {
    ...page,
    items: page.items.map((item) => ({ ...item, under_way: underWay.get(item.end_to_end_id) ?? null })),
  };
}

function maskedPayer(payer: DepositPayer | null) {
  if (payer === null) return null;
  const { name, document, matchesPlayer: matches_player } = payer;
  return {
    name: name === null ? null : maskedName(name),
    document: document === null ? null : maskedDocument(document.number),
    matches_player,
  };
}
