// The webhook endpoint: what it refuses and with which status, and that a genuine body alone never moves money.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { signWebhook } from './fake-gateway.js';
import type { SignedWebhook } from './fake-gateway.js';
import { balanceOf, paymentIn, setUp, untilState, untilVersion } from './setup.js';
import type { Setup } from './setup.js';

const BRL_5000 = { amount: '5000', currency: 'BRL' };

function event(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 'evt_1',
    type: 'deposit.paid',
    created_at: '2026-01-01T00:00:00Z',
    operation_id: 'op_fake',
    object_id: 'dep_1',
    object_version: 3,
    data: {
      object: { id: 'dep_1', external_id: 'd-1', status: 'paid', version: 3, amount: BRL_5000, player_ref: 'player-1' },
    },
    ...changes,
  };
}

describe('demo operator: webhook endpoint', () => {
  let setup: Setup;

  beforeEach(async () => {
    setup = await setUp();
    await setup.control().expectDeposit({ external_id: 'd-1', amount: BRL_5000, player_ref: 'player-1' });
  });
  afterEach(() => setup.close());

  async function post({ body, headers }: SignedWebhook): Promise<number> {
    const response = await fetch(setup.gateway.webhookUrl, { method: 'POST', body, headers });
    await response.arrayBuffer();
    return response.status;
  }
  const nowSeconds = (): number => Math.floor(Date.now() / 1000);

  it('refuses a bad signature, a stale timestamp and missing headers with 401, and records nothing', async () => {
    const body = JSON.stringify(event());
    const good = signWebhook(body, 'evt_1');
    const { 'Svc-Signature': _signature, ...unsigned } = good.headers;
    assert.equal(await post(signWebhook(body, 'evt_1', nowSeconds(), 'whsec_other')), 401);
    assert.equal(await post({ ...good, body: `${body} ` }), 401);
    assert.equal(await post({ ...good, headers: { ...good.headers, 'Svc-Event-Id': 'evt_2' } }), 401);
    assert.equal(await post({ body, headers: unsigned }), 401);
    assert.equal(await post(signWebhook(body, 'evt_1', nowSeconds() - 310)), 401);
    assert.equal(await post(signWebhook(body, 'evt_1', nowSeconds() + 310)), 401);
    assert.deepEqual((await setup.control().state()).events, []);
  });

  it('refuses an event id other than the body id, and a body that is no event, with 400', async () => {
    assert.equal(await post(signWebhook(JSON.stringify(event()), 'evt_2')), 400);
    assert.equal(await post(signWebhook('{}', 'evt_1')), 400);
    assert.deepEqual((await setup.control().state()).events, []);
  });

  it('refuses a body above 1 MiB with 413', async () => {
    assert.equal(await post(signWebhook(`"${'x'.repeat(1024 * 1024)}"`, 'evt_1')), 413);
  });

  it('answers 503 until it has credentials, then accepts', async () => {
    const early = await setUp({ credentials: false });
    try {
      const send = (): Promise<Response> =>
        fetch(early.gateway.webhookUrl, { method: 'POST', ...signWebhook(JSON.stringify(event()), 'evt_1') });
      assert.equal((await send()).status, 503);
      early.writeSandboxFile();
      assert.equal((await send()).status, 200);
    } finally {
      await early.close();
    }
  });

  it('the same event twice: 200 twice, recorded once, counted', async () => {
    setup.gateway.put({ id: 'dep_1', external_id: 'd-1', status: 'paid', version: 3 });
    for (let time = 0; time < 3; time += 1)
      assert.equal(await post(signWebhook(JSON.stringify(event()), 'evt_1')), 200);
    const state = await untilVersion(setup, 'd-1', 3);
    assert.deepEqual(
      state.events.map(({ id, duplicates, via }) => ({ id, duplicates, via })),
      [{ id: 'evt_1', duplicates: 2, via: 'webhook' }],
    );
    assert.equal(balanceOf(state, 'player-1').available, '5000');
  });

  it('an unknown event type: 200, recorded, nothing fetched, no money', async () => {
    setup.gateway.put({ id: 'dep_1', external_id: 'd-1', status: 'paid', version: 3 });
    assert.equal(await post(signWebhook(JSON.stringify(event({ type: 'deposit.something_new' })), 'evt_1')), 200);
    assert.equal(
      await post(
        signWebhook(JSON.stringify(event({ id: 'evt_2', type: 'rules.updated', object_id: 'rules' })), 'evt_2'),
      ),
      200,
    );
    await sleep(100);
    const state = await setup.control().state();
    assert.equal(state.events.length, 2);
    assert.equal(paymentIn(state, 'd-1')?.version, 0);
    assert.equal(balanceOf(state, 'player-1').available, '0');
  });

  it('a genuine body that says paid while the gateway says pending: no credit', async () => {
    setup.gateway.put({ id: 'dep_1', external_id: 'd-1', status: 'pending', version: 3 });
    assert.equal(await post(signWebhook(JSON.stringify(event()), 'evt_1')), 200);
    const state = await untilVersion(setup, 'd-1', 3);
    assert.equal(paymentIn(state, 'd-1')?.status, 'pending');
    assert.equal(balanceOf(state, 'player-1').available, '0');
  });

  it('a payment that the gateway does not have: an alert, no credit', async () => {
    assert.equal(await post(signWebhook(JSON.stringify(event()), 'evt_1')), 200);
    const state = await untilState(setup, 'an alert', ({ alerts }) => alerts.length > 0);
    assert.deepEqual(
      state.alerts.map(({ code, object_id }) => ({ code, object_id })),
      [{ code: 'fetch_back_refused', object_id: 'dep_1' }],
    );
    assert.equal(balanceOf(state, 'player-1').available, '0');
  });
});
