// Reads that run in the authentication query, by route, with the filters of their lists; and the replay of events.
import { invalidField } from '../../contract/http/errors.js';
import type { RouteHandlers, RouteName } from '../../contract/http/routes.js';
import { readEvents, type EventFilter, firstEvents } from '../../store/events/events.js';
import { ok, type ApiDependencies } from './handler.js';
import type { ListDepositsQuery } from '../../contract/http/schemas/deposits.js';
import type { ListEventsQuery } from '../../contract/http/schemas/events.js';
import type { ListWithdrawalsQuery } from '../../contract/http/schemas/withdrawals.js';
import { DEPOSITS } from '../../store/payments/deposit/read.js';
import type { PaymentFilter } from '../../store/payments/reads.js';
import { WITHDRAWALS } from '../../store/payments/withdrawal/read.js';
import type { ReadOf } from '../middleware/verify.js';

export function eventHandlers({ database, sealer }: ApiDependencies): Pick<RouteHandlers, 'listEvents'> {
  return {
    listEvents: async ({ caller: { operation }, query, found }) => {
      const { after } = query;
      const read = await readEvents(database, sealer, operation.id, eventFilter(query), found);
      if (read.kind === 'unknown_event')
        return invalidField(after === undefined ? 'cursor' : 'after', 'unknown', 'is not an event of this operation');
      return ok(pageOf(read.envelopes, read.hasMore ? read.lastId : null));
    },
  };
}

const COMMA = Buffer.from(',');

/** The page around the stored envelopes' bytes. Parsing and serialising them again would double the request's cost. */
function pageOf(envelopes: readonly Buffer[], nextCursor: string | null): Buffer {
  const data = envelopes.flatMap((envelope, index) => (index === 0 ? [envelope] : [COMMA, envelope]));
  return Buffer.concat([
    Buffer.from('{"data":['),
    ...data,
    Buffer.from(`],"next_cursor":${JSON.stringify(nextCursor)}}`),
  ]);
}

type PaymentQuery = ListDepositsQuery | ListWithdrawalsQuery;

export const READS: Readonly<Partial<Record<RouteName, ReadOf>>> = {
  getDeposit: ({ params }) => DEPOSITS.byId(params['id'] ?? ''),
  getWithdrawal: ({ params }) => WITHDRAWALS.byId(params['id'] ?? ''),
  // With a cursor there is no early read: the cursor's row must be looked up first.
  listDeposits: ({ query }) => DEPOSITS.firstPage(pageFilter(query, (query as PaymentQuery).cursor)),
  listWithdrawals: ({ query }) => WITHDRAWALS.firstPage(pageFilter(query, (query as PaymentQuery).cursor)),
  listEvents: ({ query }) => firstEvents(eventFilter(query)),
};

export function pageFilter(
  { external_id, player_ref, status, updated_since, limit }: PaymentQuery,
  afterId: string | undefined,
): PaymentFilter {
  return {
    externalId: external_id,
    playerRef: player_ref,
    status,
    updatedSince: updated_since === undefined ? undefined : new Date(updated_since),
    afterId,
    limit,
  };
}

function eventFilter({ after, cursor, object_id, limit }: ListEventsQuery): EventFilter {
  return { afterId: after ?? cursor, objectId: object_id, limit };
}
