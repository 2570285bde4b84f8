// Reads that run in the authentication query, by route.
import type { RouteName } from '../../contract/http/routes.js';
import type { ListDepositsQuery } from '../../contract/http/schemas/deposits.js';
import type { ListEventsQuery } from '../../contract/http/schemas/events.js';
import type { ListWithdrawalsQuery } from '../../contract/http/schemas/withdrawals.js';
import { DEPOSITS } from '../../store/payments/deposit/read.js';
import { type EventFilter, firstEvents } from '../../store/events/events.js';
import type { PaymentFilter } from '../../store/payments/reads.js';
import { WITHDRAWALS } from '../../store/payments/withdrawal/read.js';
import type { ReadOf } from '../middleware/verify.js';

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

export function eventFilter({ after, cursor, object_id, limit }: ListEventsQuery): EventFilter {
  return { afterId: after ?? cursor, objectId: object_id, limit };
}
