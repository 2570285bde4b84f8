// An operation's late and extra payments of which something is left in suspense, oldest first, with their payers
// masked.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import type { Database } from '../../../store/database.js';
import type { DepositPayer } from '../../../domain/payments/deposit.js';
import { maskedDocument, maskedName } from '../../../domain/masks.js';
import type { Sealer } from '../../../store/sealing/sealer.js';
import { exitsUnderWay, payerOfItem, presentItem, readItems } from '../../../store/ledger/suspense.js';
import { inLongSnapshot } from '../../../store/transactions.js';
import type { Viewer } from '../../viewer.js';
import { readOperationPage } from './operation-page.js';

const READ_LIMIT_MS = 5_000;

/** `null` if there is no such operation, or the viewer may not see it. */
export async function readSuspensePage(
  { database, sealer }: { readonly database: Database; readonly sealer: Sealer },
  viewer: Viewer,
  operationId: string,
  { cursor }: Asked<'readSuspense'>['query'],
): Promise<Answering<'readSuspense'> | 'bad_cursor' | null> {
  return readOperationPage(
    database,
    viewer,
    { operationId, cursor },
    {
      pageSize: 50,
      // In one snapshot: an item of which a return has just ended would stand there as if none were under way.
      read: (take, after) =>
        inLongSnapshot(database, READ_LIMIT_MS, async (snapshot) => {
          const items = await readItems(snapshot, { operationId, isOpen: true, take, after });
          const payments = items.map(({ end_to_end_id: payment }) => payment);
          const underWay = await exitsUnderWay(snapshot, operationId, payments);
          return items.map((item) => ({ ...item, underWay: underWay.get(item.end_to_end_id) ?? null }));
        }),
      placeOf: (row) => ({ at: row.received_at, key: row.end_to_end_id }),
      present: (row) => ({
        ...presentItem(row),
        payer: maskedPayer(payerOfItem(row, sealer)),
        under_way: row.underWay,
      }),
    },
  );
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
