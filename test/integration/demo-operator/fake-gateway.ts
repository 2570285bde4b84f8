// A small gateway for the demo operator's tests: it keeps deposits, withdrawals and events, checks signatures strictly,
// and delivers signed webhooks. It signs with code of its own, so that a mistake in the client's shows.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readAll, signatureFault, STAND_IN_KEY } from '../../unit/client/stand-in-gateway.js';

const WEBHOOK_SECRET = 'whsec_fake_gateway';

export interface FakePayment {
  id: string;
  external_id: string;
  status: string;
  version: number;
  amount: { amount: string; currency: string };
  player_ref: string;
  [field: string]: unknown;
}

export interface FakeEvent {
  readonly id: string;
  readonly type: string;
  readonly object_id: string;
  readonly object_version: number;
  readonly [field: string]: unknown;
}

export interface FakeGateway {
  readonly baseUrl: string;
  readonly payments: Map<string, FakePayment>;
  readonly events: FakeEvent[];
  /** How many of the next GETs of one payment answer 503. */
  failReads: number;
  /** False: its bank receives only. */
  sendsPayouts: boolean;
  /** False holds webhooks back: only `GET /events` shows what happened. */
  delivering: boolean;
  /** Set once the operator listens. */
  webhookUrl: string;
  /** Puts a payment in place without an event. */
  put(payment: Partial<FakePayment> & Pick<FakePayment, 'id' | 'external_id'>): FakePayment;
  /** Changes status and raises the version; makes the event and delivers it. Resolves with it once delivered. */
  advance(id: string, status: string, more?: Record<string, unknown>): Promise<FakeEvent>;
  close(): Promise<void>;
}

export interface SignedWebhook {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** A webhook of any content with a genuine signature, for changing afterwards. */
export function signWebhook(
  body: string,
  eventId: string,
  timestampSeconds = Math.floor(Date.now() / 1000),
  secret = WEBHOOK_SECRET,
): SignedWebhook {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const hex = createHmac('sha256', secret).update(`v1\n${timestampSeconds}\n${eventId}\n${bodyHash}`).digest('hex');
  const headers = { 'Svc-Event-Id': eventId, 'Svc-Timestamp': String(timestampSeconds), 'Svc-Signature': `v1=${hex}` };
  return { body, headers: { 'Content-Type': 'application/json', ...headers } };
}

/** Starts on a free port of 127.0.0.1. */
export async function startFakeGateway(): Promise<FakeGateway> {
  const payments = new Map<string, FakePayment>();
  const events: FakeEvent[] = [];
  const nonces = new Set<string>();
  const answers = new Map<string, { status: number; body: unknown }>();

  async function deliver(event: FakeEvent): Promise<number> {
    const { body, headers } = signWebhook(JSON.stringify(event), event.id);
    const response = await fetch(gateway.webhookUrl, {
      method: 'POST',
      body,
      headers,
      signal: AbortSignal.timeout(5_000),
    });
    return response.status;
  }

  const server = createServer((request, response) => {
    void readAll(request).then((body) => handle(request, response, body));
  });

  function handle(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const fault = signatureFault(request, body, nonces);
    const key = String(request.headers['idempotency-key'] ?? '');
    const result = fault
      ? refusal(401, fault)
      : (answers.get(key) ?? route(request.method ?? '', new URL(request.url ?? '', 'http://x'), body));
    if (request.method === 'POST' && !fault) answers.set(key, result);
    const type = result.status >= 400 ? 'application/problem+json' : 'application/json; charset=utf-8';
    response.writeHead(result.status, { 'Content-Type': type }).end(JSON.stringify(result.body));
  }

  function route(method: string, url: URL, body: Buffer): { status: number; body: unknown } {
    const path = url.pathname.slice('/v1'.length);
    const [, first, second, third, fourth] = path.split('/');
    if (path === '/ping')
      return ok({ ok: true, operation_id: 'op_fake', environment: 'sandbox', server_time: new Date().toISOString() });
    if (path === '/balances') return ok({ data: [balance()] });
    if (path === '/events') return listEvents(url.searchParams);
    if (path === '/sandbox/webhooks/redeliver') return redeliver(body);
    if (first === 'sandbox' && third && fourth === 'pay') return pay(third);
    if (method === 'POST' && (first === 'deposits' || first === 'withdrawals') && !second) return create(first, body);
    if (method === 'GET' && second) return readPayment(second);
    if (method === 'GET' && first === 'withdrawals') {
      const data = [...payments.values()].filter(
        (payment) => payment.external_id === url.searchParams.get('external_id'),
      );
      return ok({ data, next_cursor: null });
    }
    return refusal(404, 'not_found');
  }

  function balance(): unknown {
    const paid = (prefix: string): bigint =>
      [...payments.values()]
        .filter(({ id, status }) => id.startsWith(prefix) && status === 'paid')
        .reduce((sum, { amount }) => sum + BigInt(amount.amount), 0n);
    const money = (amount: bigint): unknown => ({ amount: String(amount), currency: 'BRL' });
    return {
      available: money(paid('dep_') - paid('wdr_')),
      pending_in: money(0n),
      pending_out: money(0n),
      as_of: new Date().toISOString(),
    };
  }

  function readPayment(id: string): { status: number; body: unknown } {
    if (gateway.failReads > 0) {
      gateway.failReads -= 1;
      return refusal(503, 'service_unavailable');
    }
    const payment = payments.get(id);
    return payment ? ok(payment) : refusal(404, 'not_found');
  }

  function listEvents(query: URLSearchParams): { status: number; body: unknown } {
    const after = query.get('after');
    const from = after === null ? 0 : events.findIndex(({ id }) => id === after) + 1;
    if (after !== null && from === 0)
      return refusal(400, 'validation_failed', { errors: [{ field: 'after', message: '', reason: 'unknown' }] });
    const later = events.slice(from).filter(({ object_id: id }) => id === (query.get('object_id') ?? id));
    // Two to a page, so that every reader pages.
    return ok({ data: later.slice(0, 2), next_cursor: later.length > 2 ? 'more' : null });
  }

  function create(resource: 'deposits' | 'withdrawals', body: Buffer): { status: number; body: unknown } {
    if (resource === 'withdrawals' && !gateway.sendsPayouts) return refusal(400, 'method_not_enabled');
    const wanted = JSON.parse(body.toString('utf8')) as {
      external_id: string;
      amount: FakePayment['amount'];
      player: { external_ref: string };
    };
    const id = `${resource === 'deposits' ? 'dep_' : 'wdr_'}${randomBytes(16).toString('hex')}`;
    const payment = gateway.put({
      id,
      external_id: wanted.external_id,
      amount: wanted.amount,
      player_ref: wanted.player.external_ref,
      version: resource === 'deposits' ? 1 : 0,
    });
    if (resource === 'deposits')
      void gateway.advance(id, 'pending', {
        instructions: { pix: { copy_paste: '00020126fake', expires_at: '2030-01-01T00:00:00Z' } },
      });
    else
      void gateway.advance(id, 'under_review', {
        decision: { mode: 'manual', reasons: ['FIRST_WITHDRAWAL'] },
        psp_reference: null,
      });
    return { status: 201, body: payment };
  }

  function pay(id: string): { status: number; body: unknown } {
    if (!payments.has(id)) return refusal(404, 'not_found');
    void gateway.advance(id, 'paid', {
      psp_reference: id.startsWith('wdr_') ? 'E0000000020260101000000000000001' : null,
    });
    return ok(payments.get(id));
  }

  function redeliver(body: Buffer): { status: number; body: unknown } {
    const { event_id: eventId } = JSON.parse(body.toString('utf8')) as { event_id: string };
    const event = events.find(({ id }) => id === eventId);
    if (!event) return refusal(404, 'not_found');
    void deliver(event);
    return ok({ event_id: eventId });
  }

  const gateway: FakeGateway = {
    baseUrl: '',
    payments,
    events,
    failReads: 0,
    sendsPayouts: true,
    delivering: true,
    webhookUrl: '',
    put(payment) {
      const whole: FakePayment = {
        status: 'created',
        version: 1,
        amount: { amount: '5000', currency: 'BRL' },
        player_ref: 'player-1',
        ...payment,
      };
      payments.set(whole.id, whole);
      return whole;
    },
    async advance(id, status, more = {}) {
      const payment = payments.get(id);
      if (!payment) throw new Error(`no payment ${id}`);
      Object.assign(payment, { status, version: payment.version + 1, ...more });
      const event = eventOf(payment);
      events.push(event);
      if (gateway.delivering) await deliver(event);
      return event;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(gateway, { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` });
}

function eventOf(payment: FakePayment): FakeEvent {
  return {
    id: `evt_${randomBytes(16).toString('hex')}`,
    type: `${payment.id.startsWith('dep_') ? 'deposit' : 'withdrawal'}.${payment.status}`,
    created_at: new Date().toISOString(),
    operation_id: 'op_fake',
    object_id: payment.id,
    object_version: payment.version,
    data: { object: { ...payment } },
  };
}

function ok(body: unknown): { status: number; body: unknown } {
  return { status: 200, body };
}

function refusal(status: number, code: string, more: object = {}): { status: number; body: unknown } {
  return { status, body: { type: 'about:blank', title: code, status, code, retryable: status >= 500, ...more } };
}

/** What `var/sandbox.json` holds for this gateway. */
export function sandboxOf(gateway: FakeGateway, webhookUrl: string) {
  return {
    base_url: gateway.baseUrl,
    panel_url: 'http://localhost:7804',
    temporal_ui_url: 'http://127.0.0.1:7806',
    operation: {
      operation_id: 'op_fake',
      key_id: STAND_IN_KEY.keyId,
      secret: STAND_IN_KEY.secret,
      scopes: ['read', 'deposits:write', 'withdrawals:write'],
      webhook_url: webhookUrl,
      webhook_secret: WEBHOOK_SECRET,
    },
  };
}
