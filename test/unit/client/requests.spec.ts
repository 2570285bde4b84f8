// What each method of the client sends: the routes and bodies of the specification.
import assert from 'node:assert/strict';
import { createGatewayClient, newIdempotencyKey, ProblemError } from '../../../client/index.js';
import type { GatewayClient } from '../../../client/index.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { problem, startStandIn, STAND_IN_KEY } from './stand-in-gateway.js';

const KEY = { idempotencyKey: 'requests-spec-0001' };
const CHANGE = { rules: { version: 2, currencies: { BRL: {} } } } as never;
const RECALL = { reason: 'fraud' } as never;

describe('client: requests', () => {
  for (const [name, call, method, target, body] of [
    ['ping', (client) => client.ping(), 'GET', '/ping', ''],
    ['currencies', (client) => client.currencies(), 'GET', '/currencies', ''],
    ['balances', (client) => client.balances(), 'GET', '/balances', ''],
    ['playerLimits', (client) => client.playerLimits('p/1', 'BRL'), 'GET', '/players/p%2F1/limits?currency=BRL', ''],
    ['createDeposit', (client) => client.createDeposit({ a: 1 } as never, KEY), 'POST', '/deposits', '{"a":1}'],
    ['getDeposit', (client) => client.getDeposit('dep_1'), 'GET', '/deposits/dep_1', ''],
    ['listDeposits', (client) => client.listDeposits({ limit: 5 }), 'GET', '/deposits?limit=5', ''],
    ['cancelDeposit', (client) => client.cancelDeposit('dep_1', KEY), 'POST', '/deposits/dep_1/cancel', ''],
    [
      'createWithdrawal',
      (client) => client.createWithdrawal({ a: 1 } as never, KEY),
      'POST',
      '/withdrawals',
      '{"a":1}',
    ],
    ['getWithdrawal', (client) => client.getWithdrawal('wdr_1'), 'GET', '/withdrawals/wdr_1', ''],
    ['listWithdrawals', (client) => client.listWithdrawals({ limit: 5 }), 'GET', '/withdrawals?limit=5', ''],
    ['cancelWithdrawal', (client) => client.cancelWithdrawal('wdr_1', KEY), 'POST', '/withdrawals/wdr_1/cancel', ''],
    [
      'recallWithdrawal',
      (client) => client.recallWithdrawal('wdr_1', RECALL, KEY),
      'POST',
      '/withdrawals/wdr_1/recall',
      '{"reason":"fraud"}',
    ],
    ['listEvents', (client) => client.listEvents({ limit: 5 }), 'GET', '/events?limit=5', ''],
    [
      'reconciliation',
      (client) => client.reconciliation({ date: '2026-11-20', currency: 'BRL' }),
      'GET',
      '/reconciliation?date=2026-11-20&currency=BRL',
      '',
    ],
    ['rules', (client) => client.rules(), 'GET', '/rules', ''],
    [
      'requestRuleChange',
      (client) => client.requestRuleChange(CHANGE, { ...KEY, ifMatch: '"1"' }),
      'POST',
      '/rules/change-requests',
      '{"rules":{"version":2,"currencies":{"BRL":{}}}}',
    ],
    ['payDeposit', ({ sandbox }) => sandbox.payDeposit('dep_1', KEY), 'POST', '/sandbox/deposits/dep_1/pay', ''],
    [
      'expireDeposit',
      ({ sandbox }) => sandbox.expireDeposit('dep_1', KEY),
      'POST',
      '/sandbox/deposits/dep_1/expire',
      '',
    ],
    [
      'refundDeposit',
      ({ sandbox }) => sandbox.refundDeposit('dep_1', KEY),
      'POST',
      '/sandbox/deposits/dep_1/refund',
      '',
    ],
    [
      'chargebackDeposit',
      ({ sandbox }) => sandbox.chargebackDeposit('dep_1', KEY),
      'POST',
      '/sandbox/deposits/dep_1/chargeback',
      '',
    ],
    [
      'sandbox withdrawal',
      ({ sandbox }) => sandbox.withdrawal('wdr_1', 'approve', KEY),
      'POST',
      '/sandbox/withdrawals/wdr_1/approve',
      '',
    ],
    ['outage', ({ sandbox }) => sandbox.outage(true, KEY), 'POST', '/sandbox/outage', '{"down":true}'],
    [
      'webhookDeliveries',
      ({ sandbox }) => sandbox.webhookDeliveries({ limit: 5 }),
      'GET',
      '/sandbox/webhooks?limit=5',
      '',
    ],
    [
      'redeliver',
      ({ sandbox }) => sandbox.redeliver('evt_1', KEY),
      'POST',
      '/sandbox/webhooks/redeliver',
      '{"event_id":"evt_1"}',
    ],
  ] as readonly [string, (client: GatewayClient) => Promise<unknown>, string, string, string][]) {
    it(`${name}: ${method} ${target}`, async () => {
      const standIn = await startStandIn([{ status: 200, body: {} }]);
      const client = createGatewayClient({ baseUrl: standIn.baseUrl, ...STAND_IN_KEY });
      try {
        await call(client);
        const [seen] = standIn.seen;
        assert.deepEqual(
          [seen?.fault, seen?.method, seen?.target, seen?.body.toString('utf8')],
          [null, method, `/v1${target}`, body],
        );
        assert.equal(seen?.headers['idempotency-key'], method === 'POST' ? KEY.idempotencyKey : undefined);
        assert.equal(seen?.headers['if-match'], name === 'requestRuleChange' ? '"1"' : undefined);
      } finally {
        await client.close();
        await standIn.close();
      }
    });
  }
});

describe('client: around its requests', () => {
  it('a parameter without a value is not sent; the trace id of the caller is', async () => {
    const standIn = await startStandIn([{ status: 200, body: {} }]);
    const client = createGatewayClient({ baseUrl: standIn.baseUrl, ...STAND_IN_KEY, traceId: () => 'trace-1' });
    await client.listDeposits({ limit: undefined });
    assert.deepEqual([standIn.seen[0]?.target, standIn.seen[0]?.headers['svc-trace-id']], ['/v1/deposits', 'trace-1']);
    await client.close();
    await standIn.close();
  });

  it('events end with a page that has none, also when it names another', async () => {
    const standIn = await startStandIn([{ status: 200, body: { data: [], next_cursor: 'more' } }]);
    const client = createGatewayClient({ baseUrl: standIn.baseUrl, ...STAND_IN_KEY });
    const seen: unknown[] = [];
    for await (const event of client.events()) seen.push(event);
    assert.deepEqual([seen, standIn.seen.length], [[], 1]);
    await client.close();
    await standIn.close();
  });

  it('closed while it pauses before a repeat: the call ends at once with the answer that it had', async () => {
    const standIn = await startStandIn([problem(503, 'service_unavailable', {}, { 'Retry-After': '30' })]);
    const client = createGatewayClient({ baseUrl: standIn.baseUrl, ...STAND_IN_KEY });
    const startedAt = performance.now();
    const ended = client.ping().then(
      () => undefined,
      (error: unknown) => error,
    );
    await eventually(() => standIn.seen.length === 1, 'the request was answered');
    // The answer has to arrive, too.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await client.close();
    const error = await ended;
    assert.ok(error instanceof ProblemError && error.status === 503, String(error));
    assert.ok(performance.now() - startedAt < 20_000);
    await standIn.close();
  });

  it('a new Idempotency-Key is one that the gateway takes, and never the same', () => {
    const keys = [newIdempotencyKey(), newIdempotencyKey()];
    for (const key of keys) assert.match(key, /^[A-Za-z0-9_.:-]{16,128}$/);
    assert.notEqual(keys[0], keys[1]);
  });
});

describe('client: a problem as an error', () => {
  const of = (problem: object, traceId: string | null = null) =>
    new ProblemError({
      request: 'POST /deposits',
      problem: problem as never,
      traceId,
      retryAfterSeconds: null,
      verdict: 'repeat',
    });

  it('says the request, the status and the code', () =>
    assert.equal(of({ status: 409, code: 'day_open' }).message, 'POST /deposits: 409 day_open'));

  it('names the fields and the trace', () => {
    const errors = [
      { field: 'amount', reason: 'min' },
      { field: 'player', reason: 'required' },
    ];
    const error = of({ status: 400, code: 'validation_failed', errors }, 't1');
    assert.equal(error.message, 'POST /deposits: 400 validation_failed (amount: min, player: required), trace t1');
    assert.deepEqual(error.errors, errors);
    assert.deepEqual(of({ status: 400, code: 'x' }).errors, []);
  });

  // The specification: 429 and 5xx may be repeated. A gateway's answer says itself.
  for (const [status, said, retryable] of [
    [400, undefined, false],
    [428, undefined, false],
    [429, undefined, true],
    [499, undefined, false],
    [500, undefined, true],
    [503, undefined, true],
    [409, true, true],
    [503, false, false],
  ] as const)
    it(`${status}, retryable ${String(said)}: ${retryable ? 'repeat' : 'do not repeat'}`, () =>
      assert.equal(of({ status, code: 'x', ...(said === undefined ? {} : { retryable: said }) }).retryable, retryable));
});
