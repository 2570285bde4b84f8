// An operation's disputed payments, newest first.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import type { DisputeReason, DisputeStatus } from '../../../domain/disputes.js';
import type { Database } from '../../../store/database.js';
import { readDisputes } from '../../../store/disputes/list.js';
import type { Viewer } from '../../viewer.js';
import { readOperationPage } from './operation-page.js';

/** `null` if there is no such operation, or the viewer may not see it. */
export function readDisputePage(
  database: Database,
  viewer: Viewer,
  operationId: string,
  { cursor }: Asked<'readDisputes'>['query'],
): Promise<Answering<'readDisputes'> | 'bad_cursor' | null> {
  return readOperationPage(
    database,
    viewer,
    { operationId, cursor },
    {
      pageSize: 50,
      read: (take, after) =>
        readDisputes(database, {
          operationId,
          all: true,
          take,
          before: after && { openedAt: after.at, id: after.key },
        }),
      placeOf: (row) => ({ at: row.opened_at, key: row.dispute_id }),
      present: (row) => ({
        id: row.dispute_id,
        provider: row.provider,
        status: row.status as DisputeStatus,
        reason: row.reason as DisputeReason | null,
        // A case is an operation's by its deposit.
        deposit_id: row.deposit_id!,
        amount: row.amount,
        opened_at: row.opened_at,
        due_at: row.due_at,
      }),
    },
  );
}
