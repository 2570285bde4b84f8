// Lost payouts whose write-off waits for a second person, as the inbox shows them. The decision itself is made on their
// pages.
import type { Answering } from '../../../contract/panel/routes.js';
import { toMoney } from '../../../domain/money.js';
import { isSamePerson } from '../../../domain/people.js';
import { lapseOf } from '../../../domain/payments/write-off.js';
import type { Database } from '../../../store/database.js';
import { operationNames } from '../../../store/operations/operations.js';
import { pendingWriteOffs } from '../../../store/support/write-offs.js';
import { inboxReach, type Viewer } from '../../viewer.js';

const MOST_WRITE_OFFS = 100;

export async function readWriteOffs(database: Database, viewer: Viewer): Promise<Answering<'readWriteOffs'>> {
  const rows = await pendingWriteOffs(database, inboxReach(viewer, 'write_off'), MOST_WRITE_OFFS + 1);
  const shown = rows.slice(0, MOST_WRITE_OFFS);
  const names = await operationNames(
    database,
    shown.map(({ operationId }) => operationId),
  );
  return {
    items: shown.map(({ id, operationId, amountMinor, currency, request, ...lost }) => ({
      id,
      operation: { id: operationId, name: names.get(operationId) ?? operationId },
      amount: toMoney(amountMinor, currency),
      player_ref: lost.playerRef,
      sent_at: lost.sentAt,
      traceless: { look_ups: lost.lookUps, since: lost.tracelessSince, last_at: lost.tracelessLastAt },
      requested_by: request.person,
      reason: request.reason,
      evidence: request.evidence,
      requested_at: request.at,
      lapses_at: lapseOf(request),
      is_own: isSamePerson(request.person, viewer.handle),
    })),
    more: rows.length > MOST_WRITE_OFFS,
  };
}
