// A small operator with its adapter, for the conformance kit's tests: right by itself, wrong where a test says so.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGatewayClient, ProblemError, verifyWebhook, WEBHOOK_REFUSAL_STATUS } from '../../../client/index.js';
import type { GatewayClient, GatewayEvent, WebhookDelivery, WebhookResult } from '../../../client/index.js';
import type { AdapterCredentials, AdapterOrder } from '../../../conformance/operator/adapter.js';
import type { Entry, Kind } from './entry.js';
import { reconcile } from './reconcile.js';
import type { BookKeeping } from './reconcile.js';

/** A payment as the gateway says it is. */
export interface Said {
  readonly id: string;
  readonly external_id: string;
  readonly status: string;
  readonly version: number;
  readonly amount: { readonly amount: string };
  readonly player_ref: string;
  readonly paid_at: string | null;
  readonly paid_amount?: { readonly amount: string } | null;
}

export interface Failed {
  readonly operator: Operator;
  readonly kind: Kind;
  readonly order: AdapterOrder;
  readonly entry: Entry;
  readonly error: unknown;
}

/** The decisions that a wrong operator takes wrongly. */
export interface Habits {
  verify(delivery: WebhookDelivery, secret: string): WebhookResult;
  /** The status for a genuine webhook; null: as usual. */
  answerTo(operator: Operator, event: GatewayEvent): number | null;
  /** What to do about a genuine webhook. */
  onEvent(operator: Operator, event: GatewayEvent): void;
  apply(operator: Operator, entry: Entry, said: Said): void;
  onFailure(failed: Failed): void;
  onAccepted(operator: Operator, kind: Kind, order: AdapterOrder, status: number): void;
  /** Wraps the client that creates payments. */
  client(credentials: AdapterCredentials): GatewayClient;
  /** Which of the credentials to use, after those before. */
  take(given: AdapterCredentials, before: AdapterCredentials | null): AdapterCredentials;
  readsEvents: boolean;
  retriesReads: boolean;
  books: BookKeeping;
  atStart(credentials: AdapterCredentials): Promise<unknown>;
}

export interface Operator {
  readonly url: string;
  readonly entries: Map<string, Entry>;
  readonly habits: Habits;
  credit(playerRef: string, amountMinor: bigint): void;
  begin(kind: Kind, order: AdapterOrder): void;
  fetchBack(kind: Kind, id: string): Promise<void>;
  close(): Promise<void>;
}

const GIVES_BACK = new Set(['rejected', 'failed', 'cancelled']);
const RECOVERY_MS = 500;
const READ_AGAIN_MS = 300;

/** What a right operator does. */
export const RIGHT: Habits = {
  verify: (delivery, secret) =>
    verifyWebhook(delivery, { secrets: [secret], nowSeconds: Math.floor(Date.now() / 1000) }),
  answerTo: () => null,
  onEvent: (operator, event) => void operator.fetchBack(kindOf(event), event.object_id),
  apply(operator, entry, said) {
    if (said.version <= entry.version || !isOwn(entry, said)) return;
    entry.version = said.version;
    entry.status = said.status;
    entry.paidAt = said.paid_at;
    if (entry.kind === 'deposit') {
      if (said.status !== 'paid' || entry.money !== 'open') return;
      entry.money = 'credited';
      operator.credit(entry.playerRef, entry.amountMinor);
    } else if (entry.money === 'reserved') {
      if (said.status === 'paid') entry.money = 'settled';
      if (GIVES_BACK.has(said.status)) giveBack(operator, entry);
    }
  },
  onFailure({ operator, kind, entry, error }) {
    if (kind === 'withdrawal' && error instanceof ProblemError && error.conclusive) giveBack(operator, entry);
  },
  onAccepted: () => undefined,
  client: ({ base_url: baseUrl, key_id: keyId, secret }) => createGatewayClient({ baseUrl, keyId, secret }),
  take: (given) => given,
  readsEvents: true,
  retriesReads: true,
  books: { computesDigest: true, readsAllPages: true, looksBothWays: true, openDayAgrees: false },
  atStart: () => Promise.resolve(),
};

export function isOwn(entry: Entry, said: Said): boolean {
  return said.amount.amount === String(entry.amountMinor) && said.player_ref === entry.playerRef;
}

export function giveBack(operator: Operator, entry: Entry): void {
  entry.money = 'given_back';
  operator.credit(entry.playerRef, entry.amountMinor);
}

export function kindOf({ object_id: id }: GatewayEvent): Kind {
  return id.startsWith('dep_') ? 'deposit' : 'withdrawal';
}

/** Starts an operator with the given habits; the others are right. */
export async function startOperator(wrong: Partial<Habits> = {}): Promise<Operator> {
  const habits = { ...RIGHT, ...wrong };
  const balances = new Map<string, bigint>();
  const entries = new Map<string, Entry>();
  const seenEvents = new Set<string>();
  let credentials: AdapterCredentials | null = null;
  let gateway: GatewayClient | null = null;
  let after: string | null = null;
  let isClosed = false;

  const operator: Operator = {
    url: '',
    entries,
    habits,
    credit: (playerRef, amountMinor) => void balances.set(playerRef, (balances.get(playerRef) ?? 0n) + amountMinor),
    begin(kind, order) {
      void send(kind, order);
    },
    async fetchBack(kind, id) {
      try {
        const { body } = kind === 'deposit' ? await client().getDeposit(id) : await client().getWithdrawal(id);
        const entry = entries.get(`${kind} ${body.external_id}`);
        if (entry !== undefined) habits.apply(operator, entry, body as Said);
      } catch (error) {
        const isFinal = error instanceof ProblemError && error.verdict !== 'repeat';
        if (isFinal || !habits.retriesReads || isClosed) return;
        setTimeout(() => void operator.fetchBack(kind, id), READ_AGAIN_MS).unref();
      }
    },
    close: () =>
      new Promise((resolve) => {
        isClosed = true;
        server.close(() => resolve());
        server.closeAllConnections();
        void gateway?.close();
      }),
  };

  function client(): GatewayClient {
    if (gateway === null) throw new Error('no credentials yet');
    return gateway;
  }

  async function send(kind: Kind, order: AdapterOrder): Promise<void> {
    const externalId = `own-${randomUUID()}`;
    const amountMinor = BigInt(order.amount.amount);
    const playerRef = order.player.external_ref;
    const money = kind === 'deposit' ? 'open' : 'reserved';
    const entry: Entry = { kind, externalId, playerRef, amountMinor, version: 0, status: '', paidAt: null, money };
    entries.set(`${kind} ${externalId}`, entry);
    if (kind === 'withdrawal') operator.credit(playerRef, -amountMinor);
    const body = { external_id: externalId, method: 'pix', ...order } as never;
    const key = { idempotencyKey: `${kind}-create:${externalId}` };
    try {
      const { status } =
        kind === 'deposit' ? await client().createDeposit(body, key) : await client().createWithdrawal(body, key);
      habits.onAccepted(operator, kind, order, status);
    } catch (error) {
      habits.onFailure({ operator, kind, order, entry, error });
    }
  }

  async function recover(): Promise<void> {
    if (gateway === null || isClosed) return;
    for await (const event of gateway.events(after === null ? {} : { after })) {
      after = event.id;
      if (!seenEvents.has(event.id)) await operator.fetchBack(kindOf(event), event.object_id);
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const rawBody = await bytesOf(request);
    const [, first = '', second = ''] = (request.url ?? '').split('/');
    if (first === 'webhooks') return end(response, webhook({ headers: request.headers, rawBody }));
    const body = JSON.parse(rawBody.toString('utf8') || 'null') as never;
    if (first === 'credentials') return end(response, await useCredentials(body));
    if (first === 'players') return end(response, 200, { available: String(balances.get(second) ?? 0n) });
    if (first === 'reconciliations')
      return end(response, 200, { agrees: await reconcile(client(), credentials, entries, habits.books, body) });
    operator.begin(first === 'deposits' ? 'deposit' : 'withdrawal', body);
    end(response, 202);
  }

  function webhook(delivery: WebhookDelivery): number {
    const result = habits.verify(delivery, credentials?.webhook_secret ?? 'none');
    if (!result.ok) return WEBHOOK_REFUSAL_STATUS[result.refusal];
    const status = habits.answerTo(operator, result.event);
    if (status !== null) return status;
    seenEvents.add(result.event.id);
    habits.onEvent(operator, result.event);
    return 200;
  }

  async function useCredentials(given: AdapterCredentials): Promise<number> {
    const isFirst = credentials === null;
    credentials = habits.take(given, credentials);
    const former = gateway;
    gateway = habits.client(credentials);
    void former?.close();
    if (isFirst) await habits.atStart(credentials);
    return 204;
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => end(response, 500));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  if (habits.readsEvents) recoverAgain();
  function recoverAgain(): void {
    const next = (): void => {
      if (!isClosed) setTimeout(recoverAgain, RECOVERY_MS).unref();
    };
    recover().then(next, next);
  }
  return Object.assign(operator, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

function end(response: ServerResponse, status: number, body?: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(body === undefined ? undefined : JSON.stringify(body));
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
