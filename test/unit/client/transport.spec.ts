// The client against a server that checks every signature strictly: repeats, replays, and what it refuses to guess.
import assert from 'node:assert/strict';
import { createGatewayClient, NoAnswerError, ProblemError } from '../../../client/index.js';
import type { GatewayClient, NewDeposit, TransportOptions } from '../../../client/index.js';
import { problem, startStandIn, STAND_IN_KEY } from './stand-in-gateway.js';
import type { Scripted, StandIn } from './stand-in-gateway.js';

const DEPOSIT: NewDeposit = {
  external_id: 'dep-1',
  player: { external_ref: 'p-1', document: { type: 'CPF', number: '52998224725', country: 'BR' }, name: 'Antônio 😀' },
  amount: { amount: '5000', currency: 'BRL' },
  method: 'pix',
};
const KEY = { idempotencyKey: 'deposit-create:dep-1' };
const CREATED: Scripted = { status: 201, body: { id: 'dep_1', status: 'pending', version: 2 } };

describe('client: signed requests', () => {
  let standIn: StandIn;
  let client: GatewayClient;
  let pausesMs: number[];

  async function start(script: readonly Scripted[], options: Partial<TransportOptions> = {}): Promise<void> {
    standIn = await startStandIn(script);
    pausesMs = [];
    const pause = (milliseconds: number): Promise<void> => {
      pausesMs.push(milliseconds);
      return Promise.resolve();
    };
    client = createGatewayClient({
      baseUrl: standIn.baseUrl,
      ...STAND_IN_KEY,
      clock: { nowMs: () => Date.now(), pause, random: () => 0 },
      ...options,
    });
  }

  afterEach(async () => {
    await client.close();
    await standIn.close();
  });

  /** Every attempt was well signed with the same key and bytes, yet with its own nonce and signature. */
  function assertProperRepeats(count: number): void {
    assert.equal(standIn.seen.length, count);
    for (const request of standIn.seen) assert.equal(request.fault, null);
    const distinct = (values: unknown[]): number => new Set(values).size;
    assert.equal(distinct(standIn.seen.map((request) => request.body.toString('hex'))), 1);
    assert.equal(distinct(standIn.seen.map((request) => request.headers['idempotency-key'])), 1);
    assert.equal(distinct(standIn.seen.map((request) => request.headers['svc-nonce'])), count);
    assert.equal(distinct(standIn.seen.map((request) => request.headers['svc-signature'])), count);
  }

  it('GET: signed, with the query as sent, and typed', async () => {
    await start([{ status: 200, body: { data: [], next_cursor: null } }]);
    const { status, body, replayed } = await client.listDeposits({ external_id: 'a:b c', limit: 10 });
    assert.deepEqual(
      { status, body, replayed },
      { status: 200, body: { data: [], next_cursor: null }, replayed: false },
    );
    assert.equal(standIn.seen[0]?.target, '/v1/deposits?external_id=a%3Ab%20c&limit=10');
    assertProperRepeats(1);
  });

  it('POST: the body as UTF-8 JSON, Idempotency-Key and Content-Type', async () => {
    await start([CREATED]);
    const { status, body } = await client.createDeposit(DEPOSIT, KEY);
    assert.deepEqual({ status, id: body.id }, { status: 201, id: 'dep_1' });
    const [request] = standIn.seen;
    assert.deepEqual(JSON.parse(String(request?.body)), DEPOSIT);
    assert.equal(request?.headers['idempotency-key'], KEY.idempotencyKey);
    assert.equal(request?.headers['content-type'], 'application/json; charset=utf-8');
    assertProperRepeats(1);
  });

  it('POST without a body: empty bytes are signed', async () => {
    await start([{ status: 200, body: { id: 'dep_1', status: 'cancelled' } }]);
    await client.cancelDeposit('dep_1', { idempotencyKey: 'cancel-dep_1-first' });
    assert.equal(standIn.seen[0]?.target, '/v1/deposits/dep_1/cancel');
    assert.equal(standIn.seen[0]?.body.length, 0);
    assertProperRepeats(1);
  });

  it('an id is one encoded path segment, whatever it holds', async () => {
    await start([{ status: 200, body: {} }]);
    await client.getDeposit('../balances?x=1');
    assert.equal(standIn.seen[0]?.target, '/v1/deposits/..%2Fbalances%3Fx%3D1');
  });

  it('a wrong secret is refused by the stand-in: its check is real', async () => {
    await start([CREATED], { secret: 'sk_other' });
    await assert.rejects(client.ping(), {
      name: 'ProblemError',
      code: 'invalid_signature',
      status: 401,
      conclusive: false,
    });
    assert.equal(standIn.seen.length, 1);
  });

  it('429 with Retry-After: waits it out, repeats with the same key and bytes', async () => {
    await start([problem(429, 'rate_limited', {}, { 'Retry-After': '7' }), CREATED]);
    const { body } = await client.createDeposit(DEPOSIT, KEY);
    assert.equal(body.id, 'dep_1');
    assert.deepEqual(pausesMs, [7000]);
    assertProperRepeats(2);
  });

  it('503, 503, then 201: exponential pauses', async () => {
    await start([problem(503, 'service_unavailable'), problem(503, 'service_unavailable'), CREATED]);
    await client.createDeposit(DEPOSIT, KEY);
    assert.deepEqual(pausesMs, [500, 1000]);
    assertProperRepeats(3);
  });

  it('409 idempotency_in_progress: repeats, then gets the replay', async () => {
    await start([problem(409, 'idempotency_in_progress'), { ...CREATED, headers: { 'Idempotent-Replayed': 'true' } }]);
    const { replayed } = await client.createDeposit(DEPOSIT, KEY);
    assert.equal(replayed, true);
    assertProperRepeats(2);
  });

  it('timeout: the repeat replays the first answer', async () => {
    await start([{ hang: true }, { ...CREATED, headers: { 'Idempotent-Replayed': 'true' } }], { timeoutMs: 150 });
    const { replayed, body } = await client.createDeposit(DEPOSIT, KEY);
    assert.deepEqual({ replayed, id: body.id }, { replayed: true, id: 'dep_1' });
    assertProperRepeats(2);
  });

  it('dropped connection: repeats', async () => {
    await start([{ drop: true }, CREATED]);
    await client.createDeposit(DEPOSIT, KEY);
    assertProperRepeats(2);
  });

  it('a 2xx that is no JSON, and a redirect, are unknown outcomes: repeated, never followed', async () => {
    await start([
      { raw: '<html>', status: 200, contentType: 'text/html' },
      { raw: '', status: 302, contentType: 'text/html' },
      CREATED,
    ]);
    await client.createDeposit(DEPOSIT, KEY);
    assertProperRepeats(3);
  });

  it('a business 4xx: one request, conclusive, with code, fields and trace', async () => {
    const errors = [{ field: 'player.email', message: 'x', reason: 'required_by_operation' }];
    await start([problem(400, 'validation_failed', { errors })]);
    await assert.rejects(client.createDeposit(DEPOSIT, KEY), (error) => {
      assert.ok(error instanceof ProblemError);
      assert.deepEqual(
        [error.status, error.code, error.conclusive, error.traceId, error.errors],
        [400, 'validation_failed', true, 'trace-1', errors],
      );
      return true;
    });
    assertProperRepeats(1);
  });

  it('a body that was stored as JSON and read again after a crash is sent as the same bytes', async () => {
    await start([CREATED]);
    const deposit = { ...DEPOSIT, metadata: { b: 'ü', 10: 'x', 2: 'y' } };
    const stored = JSON.stringify(deposit);
    await client.createDeposit(deposit, KEY);
    await client.createDeposit(JSON.parse(stored) as NewDeposit, KEY);
    assertProperRepeats(2);
    assert.equal(standIn.seen[0]?.body.toString('utf8'), stored);
  });

  it('409 duplicate_external_id: not repeated, not conclusive, carries the existing object', async () => {
    await start([problem(409, 'duplicate_external_id', { existing: { id: 'dep_0', status: 'pending' } })]);
    await assert.rejects(client.createDeposit(DEPOSIT, KEY), (error) => {
      assert.ok(error instanceof ProblemError);
      assert.deepEqual([error.conclusive, error.existing?.id], [false, 'dep_0']);
      return true;
    });
    assertProperRepeats(1);
  });

  it("a 4xx page of a proxy is not the gateway's decision: not repeated, not conclusive", async () => {
    await start([{ raw: '<html>404</html>', status: 404, contentType: 'text/html' }]);
    await assert.rejects(client.createDeposit(DEPOSIT, KEY), {
      code: 'unrecognised_answer',
      status: 404,
      conclusive: false,
    });
    assertProperRepeats(1);
  });

  it('401 after a timeout: not repeated, not conclusive', async () => {
    await start([{ hang: true }, problem(401, 'unknown_key')], { timeoutMs: 150 });
    await assert.rejects(client.createDeposit(DEPOSIT, KEY), { code: 'unknown_key', conclusive: false });
    assertProperRepeats(2);
  });

  const OURS = 'application/problem+json; charset=utf-8';
  for (const [title, raw, contentType, code] of [
    ['a problem of ours', '{"code":"amount_below_min"}', OURS, 'amount_below_min'],
    ['its type in capitals', '{"code":"amount_below_min"}', 'Application/Problem+JSON', 'amount_below_min'],
    ['another type', '{"code":"amount_below_min"}', 'application/json', 'unrecognised_answer'],
    ['a type that only holds it', '{"code":"amount_below_min"}', 'x-application/problem+json', 'unrecognised_answer'],
    ['no type', '{"code":"amount_below_min"}', '', 'unrecognised_answer'],
    ['no JSON', '{"code"', OURS, 'unrecognised_answer'],
    ['null', 'null', OURS, 'unrecognised_answer'],
    ['a text', '"code"', OURS, 'unrecognised_answer'],
    ['no code', '{"status":400}', OURS, 'unrecognised_answer'],
    ['a code that is no text', '{"code":7}', OURS, 'unrecognised_answer'],
  ] as const)
    it(`a refusal with ${title} in its body: ${code}`, async () => {
      await start([{ raw, status: 400, contentType }], { maxAttempts: 1 });
      await assert.rejects(client.createDeposit(DEPOSIT, KEY), { name: 'ProblemError', status: 400, code });
    });

  it('the trace is that of the header, otherwise of the body; fields are those that are named', async () => {
    const errors = [null, 'amount', { field: 7 }, { field: 'amount', message: 'x', reason: 'min' }];
    const body = { code: 'validation_failed', trace_id: 'trace-of-body', errors };
    await start([
      problem(400, 'validation_failed', { trace_id: 'trace-of-body' }),
      { raw: JSON.stringify(body), status: 400, contentType: OURS },
      { raw: JSON.stringify({ ...body, errors: 'amount' }), status: 400, contentType: OURS },
    ]);
    const create = (n: number) => client.createDeposit(DEPOSIT, { idempotencyKey: `deposit-create:dep-${n}` });
    await assert.rejects(create(1), { traceId: 'trace-1' });
    // One field of the body is named: it decides the payment.
    await assert.rejects(create(2), { traceId: 'trace-of-body', conclusive: true });
    await assert.rejects(create(3), { conclusive: false });
  });

  it('300 is no success, and nobody waits longer than was said', async () => {
    await start([{ raw: '{}', status: 300, contentType: 'application/json' }, { hang: true }], {
      maxAttempts: 1,
      timeoutMs: 150,
    });
    await assert.rejects(client.ping(), (error) => {
      assert.ok(error instanceof NoAnswerError && error.cause instanceof Error);
      assert.equal(error.cause.message, 'unexpected status 300');
      return true;
    });
    await assert.rejects(client.ping(), (error) => {
      assert.ok(error instanceof NoAnswerError && error.cause instanceof Error);
      assert.deepEqual([error.cause.name, error.cause.message], ['TimeoutError', 'no answer within 150 ms']);
      return true;
    });
  });

  it('gives up after maxAttempts with the last problem, not conclusive', async () => {
    await start([problem(503, 'service_unavailable')], { maxAttempts: 3 });
    await assert.rejects(client.createDeposit(DEPOSIT, KEY), {
      name: 'ProblemError',
      code: 'service_unavailable',
      conclusive: false,
    });
    assertProperRepeats(3);
  });

  it('gives up at once if Retry-After lies beyond its time', async () => {
    await start([problem(409, 'day_open', {}, { 'Retry-After': '7200' })]);
    await assert.rejects(client.reconciliation({ date: '2026-01-01', currency: 'BRL' }), {
      code: 'day_open',
      retryAfterSeconds: 7200,
    });
    assertProperRepeats(1);
    assert.deepEqual(pausesMs, []);
  });

  it('an answer above 8 MiB is cut off', async () => {
    await start([{ raw: `"${'x'.repeat(9 * 1024 * 1024)}"`, status: 200, contentType: 'application/json' }], {
      maxAttempts: 1,
    });
    await assert.rejects(client.ping(), (error) => {
      assert.ok(error instanceof NoAnswerError && error.cause instanceof Error);
      assert.equal((error.cause as Error).message, 'the answer is over 8388608 bytes');
      return true;
    });
  });

  it('no server: NoAnswerError naming the path without its query', async () => {
    await start([CREATED], { maxAttempts: 2 });
    await standIn.close();
    await assert.rejects(client.listDeposits({ player_ref: 'p-secret' }), (error) => {
      assert.ok(error instanceof NoAnswerError);
      assert.equal(error.attempts, 2);
      assert.match(error.message, /GET \/v1\/deposits: no answer after 2/);
      assert.ok(!error.message.includes('p-secret'));
      return true;
    });
  });

  it('once closed, nothing is repeated', async () => {
    await start([{ hang: true }], { timeoutMs: 300 });
    const call = client.createDeposit(DEPOSIT, KEY);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = client.close();
    await assert.rejects(call, (error) => error instanceof NoAnswerError && error.attempts === 1);
    await closed;
    assertProperRepeats(1);
  });

  it('events: pages through by `after` until nothing is left', async () => {
    const event = (id: string): object => ({ id, type: 'deposit.paid' });
    await start([
      { status: 200, body: { data: [event('evt_1'), event('evt_2')], next_cursor: 'x' } },
      { status: 200, body: { data: [event('evt_3')], next_cursor: null } },
    ]);
    const ids: string[] = [];
    for await (const { id } of client.events({ after: 'evt_0', object_id: 'dep_1', limit: 2 })) ids.push(id);
    assert.deepEqual(ids, ['evt_1', 'evt_2', 'evt_3']);
    assert.deepEqual(
      standIn.seen.map((request) => request.target),
      ['/v1/events?after=evt_0&object_id=dep_1&limit=2', '/v1/events?after=evt_2&object_id=dep_1&limit=2'],
    );
  });

  it('events: a server that repeats its page ends in an error, not in an endless loop', async () => {
    await start([{ status: 200, body: { data: [{ id: 'evt_1' }], next_cursor: 'x' } }]);
    const read = async (): Promise<void> => {
      for await (const event of client.events()) assert.equal(event.id, 'evt_1');
    };
    await assert.rejects(read, /repeated a page/);
  });

  it('a call without a proper Idempotency-Key sends nothing', async () => {
    await start([CREATED]);
    for (const idempotencyKey of ['', 'short', 'a'.repeat(129), 'sixteen chars!!!!']) {
      await assert.rejects(client.createDeposit(DEPOSIT, { idempotencyKey }), TypeError);
    }
    assert.equal(standIn.seen.length, 0);
  });

  it('a base address that is no address ending in /v1 is refused at once', async () => {
    await start([CREATED]);
    for (const baseUrl of ['http://127.0.0.1', 'ftp://x/v1', 'http://u:p@x/v1', 'http://x/v1?y', 'x']) {
      assert.throws(() => createGatewayClient({ baseUrl, ...STAND_IN_KEY }), TypeError, baseUrl);
    }
  });
});
