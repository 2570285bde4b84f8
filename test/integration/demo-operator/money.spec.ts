// The demo operator's own books over HTTP: what they refuse, restarts, damage and gaps. That it integrates rightly is
// played by the conformance kit (test/integration/conformance/command.spec.ts).
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLedger } from '../../../sandbox/demo-operator/ledger.js';
import { signWebhook } from './fake-gateway.js';
import { balanceOf, paymentIn, setUp, untilState, untilVersion } from './setup.js';
import type { Setup } from './setup.js';

const brl = (amount: string): { amount: string; currency: string } => ({ amount, currency: 'BRL' });

describe('demo operator: money', () => {
  let setup: Setup;
  beforeEach(async () => {
    setup = await setUp();
  });
  afterEach(() => setup.close());

  async function creditedDeposit(externalId: string, amount = '5000'): Promise<void> {
    await setup.control().expectDeposit({ external_id: externalId, amount: brl(amount), player_ref: 'player-1' });
    setup.gateway.put({ id: `dep_${externalId}`, external_id: externalId, amount: brl(amount) });
    await setup.gateway.advance(`dep_${externalId}`, 'pending');
    await setup.gateway.advance(`dep_${externalId}`, 'paid');
    await untilVersion(setup, externalId, 3);
  }

  async function reservedWithdrawal(externalId: string, amount = '3000'): Promise<void> {
    await setup.control().expectWithdrawal({ external_id: externalId, amount: brl(amount), player_ref: 'player-1' });
    setup.gateway.put({ id: `wdr_${externalId}`, external_id: externalId, amount: brl(amount), version: 0 });
    await setup.gateway.advance(`wdr_${externalId}`, 'under_review');
    await untilVersion(setup, externalId, 1);
  }

  it('a withdrawal beyond the balance is not accepted; nor the same external id with another amount', async () => {
    await creditedDeposit('d-1');
    const intent = { external_id: 'w-1', amount: brl('5001'), player_ref: 'player-1' };
    await assert.rejects(setup.control().expectWithdrawal(intent), /409.*insufficient_balance/);
    await setup.control().expectWithdrawal({ ...intent, amount: brl('5000') });
    await setup.control().expectWithdrawal({ ...intent, amount: brl('5000') });
    await assert.rejects(setup.control().expectWithdrawal({ ...intent, amount: brl('4999') }), /409.*differs/);
    assert.deepEqual(balanceOf(await setup.control().state(), 'player-1'), { available: '0', reserved: '5000' });
  });

  it('release: only while the gateway lists no such withdrawal, and only once', async () => {
    await creditedDeposit('d-1');
    await setup.control().expectWithdrawal({ external_id: 'w-1', amount: brl('3000'), player_ref: 'player-1' });
    setup.gateway.put({ id: 'wdr_w-1', external_id: 'w-1', amount: brl('3000') });
    await assert.rejects(setup.control().releaseWithdrawal('w-1'), /the_gateway_has_this_withdrawal/);
    setup.gateway.payments.delete('wdr_w-1');
    await setup.control().releaseWithdrawal('w-1');
    await assert.rejects(setup.control().releaseWithdrawal('w-1'), /no_open_reserve/);
    assert.deepEqual(balanceOf(await setup.control().state(), 'player-1'), { available: '5000', reserved: '0' });
  });

  it('a restart reloads exactly the same state, and a known event is still a duplicate', async () => {
    await creditedDeposit('d-1');
    await reservedWithdrawal('w-1');
    const before = await setup.control().state();
    await setup.restart();
    assert.deepEqual(await setup.control().state(), before);
    const known = setup.gateway.events.find(({ type }) => type === 'deposit.paid');
    assert.ok(known);
    await fetch(setup.gateway.webhookUrl, { method: 'POST', ...signWebhook(JSON.stringify(known), known.id) });
    const after = await setup.control().state();
    assert.deepEqual(after.players, before.players);
    assert.equal(after.events.find(({ id }) => id === known.id)?.duplicates, 1);
  });

  it('a gateway that started over: the unknown cursor is dropped, later events are found', async () => {
    await creditedDeposit('d-1');
    await setup.restart();
    await untilState(setup, 'the cursor', () =>
      readFileSync(join(setup.folder, 'journal.jsonl'), 'utf8').includes('"recovered"'),
    );
    await setup.stopOperator();
    setup.gateway.events.length = 0;
    setup.gateway.delivering = false;
    await setup.startOperator();
    await untilState(setup, 'an alert', ({ alerts }) => alerts.some(({ code }) => code === 'event_cursor_unknown'));
    await setup.control().expectDeposit({ external_id: 'd-2', amount: brl('700'), player_ref: 'player-1' });
    setup.gateway.put({ id: 'dep_2', external_id: 'd-2', amount: brl('700') });
    await setup.gateway.advance('dep_2', 'paid');
    await setup.restart();
    assert.equal(balanceOf(await untilVersion(setup, 'd-2', 2), 'player-1').available, '5700');
  });

  it('a line that a crash cut short is dropped; a broken line within stops the start, by name', async () => {
    await creditedDeposit('d-1');
    const before = await setup.control().state();
    const path = join(setup.folder, 'journal.jsonl');
    await setup.stopOperator();
    appendFileSync(path, '{"record":"alert","at":"2026');
    await setup.startOperator();
    assert.deepEqual(await setup.control().state(), before);
    await creditedDeposit('d-2', '100');
    assert.equal(balanceOf(await setup.control().state(), 'player-1').available, '5100');
    await setup.stopOperator();
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, ['{"record":"alert","at":"2026', ...lines].join('\n'));
    assert.throws(() => openLedger(setup.folder), /journal\.jsonl:1: not a JSON line/);
    writeFileSync(path, lines.join('\n'));
    await setup.startOperator();
    assert.equal(paymentIn(await setup.control().state(), 'd-2')?.money, 'credited');
  });

  it('keeps no personal data: the journal holds references, amounts and states only', async () => {
    await setup.control().expectDeposit({ external_id: 'd-1', amount: brl('5000'), player_ref: 'player-1' });
    setup.gateway.put({ id: 'dep_1', external_id: 'd-1' });
    await setup.gateway.advance('dep_1', 'paid', {
      payer: { document: { type: 'CPF', number: '52998224725', country: 'BR' }, name: 'Maria da Silva' },
    });
    await untilVersion(setup, 'd-1', 2);
    const journal = readFileSync(join(setup.folder, 'journal.jsonl'), 'utf8');
    assert.ok(journal.includes('"credit"'));
    assert.ok(!journal.includes('52998224725') && !journal.includes('Maria'));
  });

  it('webhooks: 503 until it has credentials; a payment that the gateway does not have is an alert', async () => {
    const early = await setUp({ credentials: false });
    try {
      const event = { id: 'evt_1', type: 'deposit.paid', object_id: 'dep_1', object_version: 3 };
      const body = { ...event, created_at: '2026-01-01T00:00:00Z', operation_id: 'op_fake', data: { object: {} } };
      const send = (): Promise<Response> =>
        fetch(early.gateway.webhookUrl, { method: 'POST', ...signWebhook(JSON.stringify(body), 'evt_1') });
      assert.equal((await send()).status, 503);
      early.writeSandboxFile();
      assert.equal((await send()).status, 200);
      const { alerts } = await untilState(early, 'an alert', (state) => state.alerts.length > 0);
      assert.deepEqual(
        alerts.map(({ code, object_id: id }) => [code, id]),
        [['fetch_back_refused', 'dep_1']],
      );
    } finally {
      await early.close();
    }
  });
});
