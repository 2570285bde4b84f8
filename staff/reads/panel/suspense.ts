// An operation's late and extra payments of which something is left in suspense, oldest first.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import type { Database } from '../../../store/database.js';
import { presentItem, readItems } from '../../../store/ledger/suspense.js';
import type { Viewer } from '../../viewer.js';
import { readOperationPage } from './operation-page.js';

/** `null` if there is no such operation, or the viewer may not see it. */
export function readSuspensePage(
  database: Database,
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
      read: (take, after) => readItems(database, { operationId, isOpen: true, take, after }),
      placeOf: (row) => ({ at: row.received_at, key: row.end_to_end_id }),
      present: presentItem,
    },
  );
}
