// An operation's cash movements: money that was moved and is no payment, newest first.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import type { Database } from '../../../store/database.js';
import { readCashMovements } from '../../../store/ledger/cash-movements.js';
import type { Viewer } from '../../viewer.js';
import { readOperationPage } from './operation-page.js';

/** `null` if there is no such operation, or the viewer may not see it. */
export function readCashPage(
  database: Database,
  viewer: Viewer,
  operationId: string,
  { cursor }: Asked<'readCashMovements'>['query'],
): Promise<Answering<'readCashMovements'> | 'bad_cursor' | null> {
  return readOperationPage(
    database,
    viewer,
    { operationId, cursor },
    {
      pageSize: 50,
      read: (take, after) =>
        readCashMovements(database, {
          operationId,
          take,
          before: after && { createdAt: after.at, id: after.key },
        }),
      placeOf: (row) => ({ at: row.created_at, key: row.id }),
      present: ({ id, kind, provider, to_provider, amount, document, reason, ...row }) => ({
        id,
        kind,
        provider,
        to_provider,
        amount,
        document,
        reason,
        requested_by: row.requested_by,
        approved_by: row.approved_by,
        created_at: row.created_at,
      }),
    },
  );
}
