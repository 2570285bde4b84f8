// The operations of the gateway as typed calls. Each resolves with {status, headers, body, replayed}.
import { createTransport, pathOf } from './http.js';
import type { GatewayResponse, Transport, TransportOptions } from './http.js';
import type { EndpointKind } from './verdicts.js';
import type {
  Balance,
  Currency,
  DeliveryLogEntry,
  Deposit,
  GatewayEvent,
  LoggedRequest,
  NewDeposit,
  NewWithdrawal,
  Page,
  Ping,
  PlayerLimits,
  Recall,
  Reconciliation,
  RuleChange,
  RuleChangeProposal,
  RuleSet,
  SandboxOutage,
  SandboxPayment,
  SandboxClock,
  SandboxClockMoved,
  SandboxRedelivery,
  SandboxSetClock,
  SandboxPartialReversal,
  SandboxWithdrawalAction,
  WebhookInbox,
  Withdrawal,
} from './types.js';

/**
 * Every POST names its key. The caller chooses and stores it: a key made up here would be lost in a crash, and the
 * repeat would pay twice.
 */
export interface Idempotent {
  readonly idempotencyKey: string;
}

export interface ListFilter {
  readonly external_id?: string;
  readonly player_ref?: string;
  readonly status?: string;
  /** Inclusive. To poll: the largest `updated_at` of the first page of the last poll, so that no change is missed. */
  readonly updated_since?: string;
  readonly cursor?: string;
  /** 1..200, default 50. */
  readonly limit?: number;
}

export interface EventFilter {
  /** The id of the last event already seen; absent: from the first. */
  readonly after?: string;
  readonly object_id?: string;
  /** Page size, 1..200, default 50. */
  readonly limit?: number;
}

export interface RequestFilter {
  readonly trace_id?: string;
  /** Only answers of 400 and above, or only the others. */
  readonly refused?: boolean;
  readonly cursor?: string;
  readonly limit?: number;
}

export interface DeliveryFilter {
  readonly event_id?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

export interface ReconciliationQuery {
  /** UTC day, YYYY-MM-DD. */
  readonly date: string;
  readonly currency: string;
  readonly cursor?: string;
  readonly limit?: number;
}

type Answer<Body> = Promise<GatewayResponse<Body>>;

/** Steers the sandbox: payers, provider outcomes, outages, redelivery. In production every route answers 404. */
export interface SandboxClient {
  payDeposit(id: string, options: Idempotent, payment?: SandboxPayment): Answer<Deposit>;
  expireDeposit(id: string, options: Idempotent): Answer<Deposit>;
  refundDeposit(id: string, options: Idempotent): Answer<Deposit>;
  chargebackDeposit(id: string, options: Idempotent): Answer<Deposit>;
  /** A part of the payment goes back. An extension of the specification. */
  reverseDepositInPart(id: string, part: SandboxPartialReversal, options: Idempotent): Answer<Deposit>;
  /** Decides a review. An extension of the specification. */
  reviewDeposit(id: string, decision: 'approve' | 'return', options: Idempotent): Answer<Deposit>;
  withdrawal(id: string, action: SandboxWithdrawalAction, options: Idempotent): Answer<Withdrawal>;
  outage(down: boolean, options: Idempotent): Answer<SandboxOutage>;
  webhookDeliveries(page?: { readonly cursor?: string; readonly limit?: number }): Answer<Page<DeliveryLogEntry>>;
  redeliver(eventId: string, options: Idempotent): Answer<SandboxRedelivery>;
  /**
   * Signed webhooks for a machine that the gateway cannot reach: after an event, or from now on, or one event. Waits up
   * to 10 s for the first. An extension of the specification.
   */
  receiveWebhooks(order?: {
    readonly after?: string;
    readonly event_id?: string;
    readonly wait_seconds?: number;
  }): Answer<WebhookInbox>;
  /** The operation's time. An extension of the specification, like the next two. */
  clock(): Answer<SandboxClock>;
  /** Advances the clock, stops it or lets it run. Repeat the same `to` while `reached` is false. */
  setClock(order: SandboxSetClock, options: Idempotent): Answer<SandboxClockMoved>;
  /** Advances the clock until the UTC day is closed. */
  closeDay(date: string, options: Idempotent): Answer<SandboxClockMoved>;
}

/**
 * All calls throw ProblemError for a refusal and NoAnswerError if no usable answer came within the bounds of the
 * repetition rule.
 */
export interface GatewayClient {
  ping(): Answer<Ping>;
  currencies(): Answer<{ readonly data: readonly Currency[] }>;
  balances(): Answer<{ readonly data: readonly Balance[] }>;
  playerLimits(externalRef: string, currency: string): Answer<PlayerLimits>;

  /** 201 `pending` or `failed`; 202 `created`: instructions follow, create no other deposit. */
  createDeposit(deposit: NewDeposit, options: Idempotent): Answer<Deposit>;
  /** The authoritative fetch-back: credit only what this returns, never what a webhook contains. */
  getDeposit(id: string): Answer<Deposit>;
  listDeposits(filter?: ListFilter): Answer<Page<Deposit>>;
  cancelDeposit(id: string, options: Idempotent): Answer<Deposit>;

  /**
   * Reserve the player's money first; give it back only on a `conclusive` ProblemError (`payment_decided`) or a final
   * state that says so.
   */
  createWithdrawal(withdrawal: NewWithdrawal, options: Idempotent): Answer<Withdrawal>;
  getWithdrawal(id: string): Answer<Withdrawal>;
  listWithdrawals(filter?: ListFilter): Answer<Page<Withdrawal>>;
  cancelWithdrawal(id: string, options: Idempotent): Answer<Withdrawal>;
  recallWithdrawal(id: string, recall: Recall, options: Idempotent): Answer<Withdrawal>;

  /** One page of events in creation order. */
  listEvents(filter?: EventFilter): Answer<Page<GatewayEvent>>;
  /** Every event after `after` up to the present, page by page; ends when none is left. */
  events(filter?: EventFilter): AsyncGenerator<GatewayEvent, void, void>;

  reconciliation(query: ReconciliationQuery): Answer<Reconciliation>;
  /** The `etag` header of the answer is the `ifMatch` of a change request. */
  rules(): Answer<RuleSet>;
  requestRuleChange(change: RuleChangeProposal, options: Idempotent & { readonly ifMatch: string }): Answer<RuleChange>;

  /** The log of this operation's own calls. An extension of the specification, like the next two. */
  requests(filter?: RequestFilter): Answer<Page<LoggedRequest>>;
  /** The log of webhook deliveries. */
  webhookDeliveries(filter?: DeliveryFilter): Answer<Page<DeliveryLogEntry>>;
  /** Has an event delivered once more. */
  redeliver(eventId: string, options: Idempotent): Answer<SandboxRedelivery>;

  readonly sandbox: SandboxClient;
  /** Lets requests under way finish, repeats nothing any more. */
  close(): Promise<void>;
}

/** A client for one operation's credential. See TransportOptions for the bounds on time and repeats. */
export function createGatewayClient(options: TransportOptions): GatewayClient {
  const transport = createTransport(options);
  const get = <Body>(path: string, query: object = {}): Answer<Body> =>
    transport.send<Body>({ endpoint: 'read', path, query: { ...query } });
  const create = poster(transport, 'create');
  const act = poster(transport, 'act');

  return {
    ping: () => get('/ping'),
    currencies: () => get('/currencies'),
    balances: () => get('/balances'),
    playerLimits: (externalRef, currency) => get(pathOf('players', externalRef, 'limits'), { currency }),

    createDeposit: (deposit, key) => create('/deposits', key, deposit),
    getDeposit: (id) => get(pathOf('deposits', id)),
    listDeposits: (filter) => get('/deposits', filter),
    cancelDeposit: (id, key) => act(pathOf('deposits', id, 'cancel'), key),

    createWithdrawal: (withdrawal, key) => create('/withdrawals', key, withdrawal),
    getWithdrawal: (id) => get(pathOf('withdrawals', id)),
    listWithdrawals: (filter) => get('/withdrawals', filter),
    cancelWithdrawal: (id, key) => act(pathOf('withdrawals', id, 'cancel'), key),
    recallWithdrawal: (id, recall, key) => act(pathOf('withdrawals', id, 'recall'), key, recall),

    listEvents: (filter) => get('/events', filter),
    events: (filter) => everyEvent((page) => get<Page<GatewayEvent>>('/events', page), filter ?? {}),

    reconciliation: (query) => get('/reconciliation', query),
    rules: () => get('/rules'),
    requestRuleChange: (change, { idempotencyKey, ifMatch }) =>
      transport.send({
        endpoint: 'other_post',
        path: '/rules/change-requests',
        body: change,
        idempotencyKey,
        headers: { 'If-Match': ifMatch },
      }),

    requests: ({ refused, ...filter } = {}) =>
      get('/request-log', { ...filter, ...(refused === undefined ? {} : { refused: String(refused) }) }),
    webhookDeliveries: (filter) => get('/webhook-deliveries', filter),
    redeliver: (eventId, key) =>
      poster(transport, 'other_post')('/webhook-deliveries/redeliver', key, { event_id: eventId }),

    sandbox: sandboxClient(transport),
    close: () => transport.close(),
  };
}

function sandboxClient(transport: Transport): SandboxClient {
  const post = poster(transport, 'other_post');
  const act = poster(transport, 'act');
  const depositAction = (id: string, action: string, key: Idempotent, body?: SandboxPayment): Answer<Deposit> =>
    act(pathOf('sandbox', 'deposits', id, action), key, body);
  return {
    payDeposit: (id, key, payment) => depositAction(id, 'pay', key, payment),
    expireDeposit: (id, key) => depositAction(id, 'expire', key),
    refundDeposit: (id, key) => depositAction(id, 'refund', key),
    chargebackDeposit: (id, key) => depositAction(id, 'chargeback', key),
    reverseDepositInPart: (id, part, key) => act(pathOf('sandbox', 'deposits', id, 'partial-reversal'), key, part),
    reviewDeposit: (id, decision, key) => act(pathOf('sandbox', 'deposits', id, 'review', decision), key),
    withdrawal: (id, action, key) => act(pathOf('sandbox', 'withdrawals', id, action), key),
    outage: (down, key) => post('/sandbox/outage', key, { down }),
    webhookDeliveries: (page) => transport.send({ endpoint: 'read', path: '/sandbox/webhooks', query: { ...page } }),
    receiveWebhooks: (order) =>
      transport.send({ endpoint: 'read', path: '/sandbox/webhooks/inbox', query: { ...order } }),
    clock: () => transport.send({ endpoint: 'read', path: '/sandbox/clock' }),
    setClock: (order, key) => post('/sandbox/clock', key, order),
    closeDay: (date, key) => post(pathOf('sandbox', 'days', date, 'close'), key),
    redeliver: (eventId, key) => post('/sandbox/webhooks/redeliver', key, { event_id: eventId }),
  };
}

function poster(transport: Transport, endpoint: Exclude<EndpointKind, 'read'>) {
  return <Body>(path: string, { idempotencyKey }: Idempotent, body?: unknown): Answer<Body> =>
    transport.send<Body>({ endpoint, path, body, idempotencyKey });
}

async function* everyEvent(
  listPage: (filter: EventFilter) => Answer<Page<GatewayEvent>>,
  filter: EventFilter,
): AsyncGenerator<GatewayEvent, void, void> {
  let after = filter.after;
  for (;;) {
    const { body: page } = await listPage(after === undefined ? filter : { ...filter, after });
    yield* page.data;
    const last = page.data.at(-1);
    // The id of the last event is what a process can store and continue from; `next_cursor` only says whether there is
    // more.
    if (page.next_cursor === null || last === undefined) return;
    if (last.id === after) throw new Error('GET /events repeated a page');
    after = last.id;
  }
}
