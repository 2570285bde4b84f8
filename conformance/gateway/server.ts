// The stand-in gateway over HTTP: the routes that an operator's program calls, signed as the real ones are.
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import type { Context } from 'koa';
import { openBook, OPERATION_ID } from './book.js';
import type { Book, PaymentKind } from './book.js';
import { createPayment } from './creation.js';
import { dayAnswer } from './days.js';
import type { Day } from './days.js';
import { problemAnswer } from './plays.js';
import type { Answer, Play } from './plays.js';
import { openKeyRing, postFault, readOrder, seenRequest } from './requests.js';
import type { KeyRing, ReceivedRequest, RequestFault, SeenRequest } from './requests.js';

export interface Gateway {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly book: Book;
  readonly keys: KeyRing;
  /** Every request since the start, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** Whether everything answers 503. */
  isDown: boolean;
  /** The secret that signs days. */
  daySecret: string;
  /** The day that is laid out for a date. */
  readonly days: Map<string, Day>;
  /** What happens to the next creations for a player, in order; then everything is as usual. */
  plan(playerRef: string, plays: readonly Play[]): void;
  /** Whether everything that was planned for the player has happened. */
  isPlayedOut(playerRef: string): boolean;
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly host: string;
  /** 0 chooses a free one. */
  readonly port: number;
  /** Where operators reach it, ending in `/v1`, if that is not host and port. */
  readonly publicUrl?: string;
}

const MAX_BODY_BYTES = 64 * 1024;
const REQUEST_TIMEOUT_MS = 15_000;
const CLOSE_WAIT_MS = 500;
const OUTAGE_RETRY_SECONDS = 1;
/** What a run may send; a program that runs wild must not fill the memory. */
const MAX_REQUESTS = 100_000;

const FAULT_ANSWERS: Record<RequestFault, Answer> = {
  unknown_key: problemAnswer({ status: 401, code: 'unknown_key' }),
  revoked_key: problemAnswer({ status: 401, code: 'unknown_key' }),
  timestamp_out_of_window: problemAnswer({ status: 401, code: 'timestamp_out_of_window' }),
  invalid_signature: problemAnswer({ status: 401, code: 'invalid_signature' }),
  replayed_nonce: problemAnswer({ status: 401, code: 'replayed_nonce' }),
  no_idempotency_key: invalid('Idempotency-Key', 'required'),
  content_type: invalid('Content-Type', 'invalid'),
  body: invalid('body', 'invalid'),
};

function invalid(field: string, reason: string): Answer {
  return problemAnswer({ status: 400, code: 'validation_failed', errors: [{ field, reason, message: reason }] });
}

/** Starts it. Rejects if the port is taken (`EADDRINUSE`). */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const book = openBook();
  const keys = openKeyRing();
  const requests: SeenRequest[] = [];
  const plans = new Map<string, Play[]>();
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS });
  const gateway: Gateway = {
    baseUrl: '',
    book,
    keys,
    requests,
    isDown: false,
    daySecret: '',
    days: new Map(),
    plan: (playerRef, plays) => void plans.set(playerRef, [...plays]),
    isPlayedOut: (playerRef) => (plans.get(playerRef)?.length ?? 0) === 0,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), CLOSE_WAIT_MS).unref();
      });
    },
  };
  const handle = application(gateway, requests, plans).callback();
  server.on('request', (request, response) => void handle(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(gateway, { baseUrl: options.publicUrl ?? `http://${options.host}:${port}/v1` });
}

interface CallContext extends Context {
  received: ReceivedRequest;
  seen: SeenRequest;
}

function application(gateway: Gateway, requests: SeenRequest[], plans: Map<string, Play[]>): Koa {
  const router = routes(gateway, plans);
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx, next) => {
    const called = ctx as unknown as CallContext;
    const rawBody = await readBody(ctx.req);
    if (rawBody === null || requests.length >= MAX_REQUESTS) return answer(called, invalid('body', 'too_large'));
    called.received = { method: ctx.method, target: ctx.req.url ?? '', headers: ctx.headers, rawBody };
    const { asksFor, fault } = examine(gateway.keys, called.received);
    called.seen = seenRequest(called.received, asksFor, fault);
    requests.push(called.seen);
    if (fault !== null) answer(called, FAULT_ANSWERS[fault]);
    else if (gateway.isDown) answer(called, unavailable());
    else {
      answer(called, problemAnswer({ status: 404, code: 'not_found' }));
      await next();
    }
    called.seen.answered ??= ctx.status;
  });
  app.use(router.routes());
  return app;
}

function unavailable(): Answer {
  return problemAnswer({ status: 503, code: 'service_unavailable', retryAfterSeconds: OUTAGE_RETRY_SECONDS });
}

const CREATIONS: Readonly<Record<string, PaymentKind>> = { '/v1/deposits': 'deposit', '/v1/withdrawals': 'withdrawal' };

/** What the request asks for, and its first fault. */
function examine(
  keys: KeyRing,
  received: ReceivedRequest,
): { asksFor: SeenRequest['asksFor']; fault: RequestFault | null } {
  const kind = received.method === 'POST' ? kindOfTarget(received.target) : undefined;
  const read = kind === undefined ? null : readOrder(kind, received.rawBody);
  const asksFor =
    kind === undefined || read === null || !('order' in read)
      ? null
      : { kind, externalId: read.order.external_id, playerRef: read.order.player.external_ref };
  const fault =
    keys.signatureFault(received) ??
    (received.method === 'POST' ? postFault(received.headers) : null) ??
    (read !== null && 'field' in read ? 'body' : null);
  return { asksFor, fault };
}

function kindOfTarget(target: string): PaymentKind | undefined {
  return CREATIONS[target.split('?')[0] ?? ''];
}

function routes(gateway: Gateway, plans: Map<string, Play[]>): Router {
  const { book } = gateway;
  const router = new Router({ prefix: '/v1', sensitive: true, strict: true });
  const get = (path: string, read: (ctx: Context) => Answer | null): void => {
    router.get(path, (ctx) => {
      const found = read(ctx as unknown as Context);
      if (found !== null) answer(ctx as unknown as CallContext, found);
    });
  };

  get('/ping', () => ok({ ok: true, operation_id: OPERATION_ID, environment: 'sandbox', server_time: now() }));
  get('/currencies', () => ok({ data: [CURRENCY] }));
  get('/balances', () => ok({ data: [{ available: brl(0), pending_in: brl(0), pending_out: brl(0), as_of: now() }] }));
  get('/events', (ctx) => listEvents(book, queryOf(ctx)));
  get('/reconciliation', (ctx) => {
    const { date = '', currency = 'BRL', cursor = '' } = queryOf(ctx);
    return dayAnswer(gateway.days.get(date) ?? { items: [] }, { date, currency, cursor, secret: gateway.daySecret });
  });
  for (const kind of ['deposit', 'withdrawal'] as const) {
    get(`/${kind}s`, (ctx) => listPayments(book, kind, queryOf(ctx)));
    get(`/${kind}s/:id`, (ctx) => {
      const payment = book.payments.get(String(ctx['params']['id']));
      return payment?.kind === kind ? ok(payment.object) : null;
    });
  }

  const replies = new Map<string, { readonly bodySha256: string; readonly reply: Answer }>();
  for (const kind of ['deposit', 'withdrawal'] as const) {
    router.post(`/${kind}s`, (ctx) => {
      const called = ctx as unknown as CallContext;
      const reply = createPayment({ book, replies, plans }, kind, called.received, called.seen);
      if (reply === 'cut') cut(called);
      else answer(called, reply);
    });
  }
  return router;
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}

function now(): string {
  return new Date().toISOString();
}

function brl(amountMinor: number): object {
  return { amount: String(amountMinor), currency: 'BRL' };
}

const CURRENCY = {
  code: 'BRL',
  kind: 'fiat',
  exponent: 2,
  methods: ['pix'],
  method_details: [{ method: 'pix', deposit_requirements: ['player.name', 'player.email'], psp_notes: [] }],
};

type Query = Readonly<Record<string, string | undefined>>;

function queryOf(ctx: Context): Query {
  return ctx.query as Query;
}

const MOST_OF_A_PAGE = 200;

function limitOf(query: Query): number {
  const limit = Number(query['limit'] ?? '50');
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, MOST_OF_A_PAGE) : 50;
}

function listEvents(book: Book, query: Query): Answer {
  const known = book.events.findIndex(({ id }) => id === query['after']);
  if (query['after'] !== undefined && known < 0) return invalid('after', 'unknown');
  const wanted = book.events
    .slice(known + 1)
    .filter(({ object_id: id }) => query['object_id'] === undefined || id === query['object_id']);
  const page = wanted.slice(0, limitOf(query));
  return ok({ data: page, next_cursor: wanted.length > page.length ? (page.at(-1)?.id ?? null) : null });
}

function listPayments(book: Book, kind: PaymentKind, query: Query): Answer {
  const wanted = [...book.payments.values()].filter(
    (payment) =>
      payment.kind === kind &&
      (['external_id', 'player_ref', 'status'] as const).every(
        (name) => query[name] === undefined || payment.object[name] === query[name],
      ),
  );
  const first = Number(/^[0-9]{1,6}$/.exec(query['cursor'] ?? '')?.[0] ?? '0');
  const page = wanted.slice(first, first + limitOf(query));
  const next = first + page.length;
  return ok({ data: page.map(({ object }) => object), next_cursor: next < wanted.length ? String(next) : null });
}

function answer(ctx: CallContext, { status, body, headers = {} }: Answer): void {
  ctx.status = status;
  ctx.set({ 'content-type': 'application/json; charset=utf-8', ...headers });
  ctx.body = JSON.stringify(body);
}

/** Ends the connection without an answer. */
function cut(ctx: CallContext): void {
  ctx.seen.answered = 'cut';
  ctx.respond = false;
  ctx.req.socket.destroy();
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
