// Money at the demo operator, end to end over HTTP: credits once, reserves, gives back, and survives restarts and gaps.
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLedger } from '../../../sandbox/demo-operator/ledger.js';
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

  it('a paid deposit credits once, by its own record', async () => {
    await creditedDeposit('d-1');
    const state = await setup.control().state();
    assert.deepEqual(balanceOf(state, 'player-1'), { available: '5000', reserved: '0' });
    assert.deepEqual(
      state.events.map(({ type, via }) => `${type} ${via}`),
      ['deposit.pending webhook', 'deposit.paid webhook'],
    );
    assert.deepEqual(state.alerts, []);
  });

  it('a deposit of another amount, or of no player, raises an alert and is not credited', async () => {
    await setup.control().expectDeposit({ external_id: 'd-1', amount: brl('5000'), player_ref: 'player-1' });
    setup.gateway.put({ id: 'dep_1', external_id: 'd-1', amount: brl('5001') });
    setup.gateway.put({ id: 'dep_2', external_id: 'd-unknown' });
    await setup.gateway.advance('dep_1', 'paid');
    await setup.gateway.advance('dep_2', 'paid');
    const state = await untilState(setup, 'two alerts', ({ alerts }) => alerts.length === 2);
    assert.deepEqual(state.alerts.map(({ code }) => code).sort(), ['amount_differs', 'unknown_external_id']);
    assert.deepEqual(balanceOf(state, 'player-1'), { available: '0', reserved: '0' });
  });

  it('a refund after the credit: an alert, the balance stays', async () => {
    await creditedDeposit('d-1');
    await setup.gateway.advance('dep_d-1', 'refunded');
    const state = await untilVersion(setup, 'd-1', 4);
    assert.deepEqual(
      state.alerts.map(({ code }) => code),
      ['refunded_after_credit'],
    );
    assert.equal(balanceOf(state, 'player-1').available, '5000');
  });

  it('withdrawal: reserved at once, kept while open, settled when paid', async () => {
    await creditedDeposit('d-1');
    await reservedWithdrawal('w-1');
    assert.deepEqual(balanceOf(await setup.control().state(), 'player-1'), { available: '2000', reserved: '3000' });
    for (const status of ['approved', 'processing']) await setup.gateway.advance('wdr_w-1', status);
    assert.deepEqual(balanceOf(await untilVersion(setup, 'w-1', 3), 'player-1'), {
      available: '2000',
      reserved: '3000',
    });
    await setup.gateway.advance('wdr_w-1', 'paid');
    assert.deepEqual(balanceOf(await untilVersion(setup, 'w-1', 4), 'player-1'), { available: '2000', reserved: '0' });
  });

  for (const status of ['rejected', 'failed', 'cancelled']) {
    it(`withdrawal ${status}: the reserve goes back`, async () => {
      await creditedDeposit('d-1');
      await reservedWithdrawal('w-1');
      await setup.gateway.advance('wdr_w-1', status);
      assert.deepEqual(balanceOf(await untilVersion(setup, 'w-1', 2), 'player-1'), {
        available: '5000',
        reserved: '0',
      });
    });
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

  it('intents of another shape are refused by field; plain text is refused before it is read', async () => {
    const bad = { external_id: 'd 1', amount: brl('5000'), player_ref: 'player-1' };
    await assert.rejects(setup.control().expectDeposit(bad), /400.*external_id/);
    await assert.rejects(
      setup.control().expectDeposit({ ...bad, external_id: 'd-1', amount: brl('50.00') }),
      /400.*amount/,
    );
    const plain = await fetch(`${setup.operator().url}/expected-deposits`, {
      method: 'POST',
      body: JSON.stringify({ ...bad, external_id: 'd-1' }),
    });
    assert.equal(plain.status, 415);
    assert.deepEqual((await setup.control().state()).deposits, []);
  });

  it('the gateway failing during the fetch-back: credited once it answers again', async () => {
    await setup.control().expectDeposit({ external_id: 'd-1', amount: brl('5000'), player_ref: 'player-1' });
    setup.gateway.put({ id: 'dep_1', external_id: 'd-1' });
    setup.gateway.failReads = 1;
    await setup.gateway.advance('dep_1', 'paid');
    assert.equal(balanceOf(await untilVersion(setup, 'd-1', 2), 'player-1').available, '5000');
    assert.equal(setup.gateway.failReads, 0);
  });

  it('a restart reloads exactly the same state, and a known event is still a duplicate', async () => {
    await creditedDeposit('d-1');
    await reservedWithdrawal('w-1');
    const before = await setup.control().state();
    await setup.restart();
    assert.deepEqual(await setup.control().state(), before);
    const known = setup.gateway.events.find(({ type }) => type === 'deposit.paid');
    assert.ok(known);
    const { signWebhook } = await import('./fake-gateway.js');
    await fetch(setup.gateway.webhookUrl, { method: 'POST', ...signWebhook(JSON.stringify(known), known.id) });
    const after = await setup.control().state();
    assert.deepEqual(after.players, before.players);
    assert.equal(after.events.find(({ id }) => id === known.id)?.duplicates, 1);
  });

  it('webhooks lost: the recovery job finds the events and the money is right', async () => {
    await setup.control().expectDeposit({ external_id: 'd-1', amount: brl('5000'), player_ref: 'player-1' });
    setup.gateway.put({ id: 'dep_1', external_id: 'd-1' });
    setup.gateway.delivering = false;
    for (const status of ['pending', 'under_review', 'paid']) await setup.gateway.advance('dep_1', status);
    await setup.restart();
    const state = await untilVersion(setup, 'd-1', 4);
    assert.equal(balanceOf(state, 'player-1').available, '5000');
    assert.deepEqual(
      state.events.map(({ type, via }) => `${type} ${via}`),
      ['deposit.pending recovery', 'deposit.under_review recovery', 'deposit.paid recovery'],
    );
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
});
