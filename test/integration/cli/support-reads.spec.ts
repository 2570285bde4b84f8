// What support staff read: reviews, payments, alerts. No personal data in any of it.
import assert from 'node:assert/strict';
import { newId } from '../../../domain/identifiers.js';
import { newEndToEndId } from '../../../domain/pix.js';
import { insertDeposit, insertEvent, insertLate, insertWithdrawal, PERSONAL } from './payments.js';
import { createTestGateway, type TestGateway } from './support.js';

describe('gateway review list|show, deposit|withdrawal show, alerts', () => {
  let gateway: TestGateway;
  let id: string;
  let deposit: string;
  let withdrawal: string;
  let eventId: string;
  let alert: string;
  const first = { person: 'ana', decision: 'approve', reason: 'ok', at: '2026-01-01T00:00:00.000Z' };

  before(async () => {
    gateway = await createTestGateway();
    id = (await gateway.operation())['operation_id'];
    deposit = await insertDeposit(gateway, id, {
      status: 'under_review',
      amount: '5000',
      paidAmount: '4000',
      reasons: ['AMOUNT_MISMATCH'],
      movements: ['deposit_held'],
    });
    withdrawal = await insertWithdrawal(gateway, id, {
      status: 'under_review',
      reasons: ['DUAL_APPROVAL_REQUIRED'],
      decidedBy: [first],
      movements: ['withdrawal_reserved'],
    });
    await insertDeposit(gateway, id, { status: 'paid', movements: ['deposit_credited'] });
    [{ id: eventId } = { id: '' }] = (await gateway.rows('SELECT id FROM event WHERE object_id = $1', deposit)) as {
      id: string;
    }[];
    await gateway.rows(
      `INSERT INTO webhook_delivery (operation_id, event_id, attempt, sent_at, response_status, error, duration_ms,
        next_attempt_at) VALUES ($1, $2, 1, now(), 500, NULL, 12, now())`,
      id,
      eventId,
    );
    await gateway.rows(
      `INSERT INTO decision (operation_id, object_id, stage, rule_set_version, facts, thresholds, verdicts, outcome, digest, decided_at)
       VALUES ($1, $2, 'payment', 1, '{"paid":"4000"}', '{}', '[]', '{"kind":"review"}', 'd', now())`,
      id,
      deposit,
    );
    alert = newId('alert');
    await gateway.rows(
      `INSERT INTO alert (id, operation_id, kind, object_id, detail, created_at)
        VALUES ($1, $2, 'LATE_PAYMENT', $3, 'paid while expired', now())`,
      alert,
      id,
      deposit,
    );
  });
  after(() => gateway.close());

  it('review list: amounts, reasons, since the event, approvals', async () => {
    const listed = await gateway.json('review', 'list');
    assert.deepEqual(Object.keys(listed), ['deposits', 'withdrawals']);
    const [first] = listed['deposits'];
    assert.deepEqual(
      [first.id, first.operation_id, first.amount, first.paid_amount, first.reasons],
      [deposit, id, { amount: '5000', currency: 'BRL' }, { amount: '4000', currency: 'BRL' }, ['AMOUNT_MISMATCH']],
    );
    const [{ created_at: since } = {}] = await gateway.rows('SELECT created_at FROM event WHERE id = $1', eventId);
    assert.equal(first.since, (since as Date).toISOString());
    const [second] = listed['withdrawals'];
    assert.deepEqual(
      [second.id, second.reasons, second.approvals],
      [withdrawal, ['DUAL_APPROVAL_REQUIRED', 'OP:pediu ***'], { given: ['ana'], needed: 2 }],
    );
    assert.equal(listed['deposits'].length, 1, 'a paid deposit waits for nobody');
    const other = (await gateway.operation())['operation_id'];
    assert.deepEqual(await gateway.json('review', 'list', '--operation', other), { deposits: [], withdrawals: [] });
    await gateway.fails(1, /there is no such operation/, 'review list --operation op_0');
  });

  it('review show: the payment, what the rules saw, and who decided', async () => {
    const shown = await gateway.json('review', 'show', deposit);
    assert.equal(shown['deposit'].status, 'under_review');
    assert.deepEqual(shown['decisions'][0].facts, { paid: '4000' });
    const { approvals, decision } = (await gateway.json('review', 'show', withdrawal))['withdrawal'];
    assert.deepEqual(
      [approvals, decision.reasons],
      [{ given: ['ana'], needed: 2 }, ['DUAL_APPROVAL_REQUIRED', 'OP:pediu ***']],
    );
    await gateway.fails(1, /no such deposit/, 'review', 'show', 'dep_0');
    await gateway.fails(2, /ID: must be the id of a deposit \(dep_…\) or a withdrawal/, 'review', 'show', 'op_0');
  });

  it('deposit show: state, events, deliveries, movements, alerts', async () => {
    const shown = await gateway.json('deposit', 'show', deposit);
    assert.deepEqual([shown['deposit'].id, shown['deposit'].version, shown['deposit'].payer_known], [deposit, 3, true]);
    assert.deepEqual(
      shown['events'].map((event: { type: string }) => event.type),
      ['deposit.under_review'],
    );
    assert.deepEqual(
      shown['deliveries'].map((one: Record<string, unknown>) => [
        one['event_id'],
        one['attempt'],
        one['response_status'],
      ]),
      [[eventId, 1, 500]],
    );
    assert.deepEqual(
      shown['movements'].map((one: Record<string, unknown>) => [one['account'], one['amount_minor']]),
      [
        ['provider_clearing', '-4000'],
        ['pending_in', '4000'],
      ],
    );
    assert.deepEqual(
      shown['alerts'].map((one: Record<string, unknown>) => one['id']),
      [alert],
    );
  });

  it('withdrawal show: with its decision and whether a send was claimed', async () => {
    const shown = await gateway.json('withdrawal', 'show', withdrawal);
    assert.deepEqual(
      [shown['withdrawal'].decision.reasons, shown['send_claimed_at']],
      [['DUAL_APPROVAL_REQUIRED'], null],
    );
    await gateway.rows(
      `INSERT INTO payout_send (withdrawal_id, reference, state, cleared_at, attempt, claimed_at)
       VALUES ($1, $1, 'claimed', '2026-01-01T00:00:00Z', 'attempt', '2026-01-01T00:00:00Z')`,
      withdrawal,
    );
    assert.equal((await gateway.json('withdrawal', 'show', withdrawal))['send_claimed_at'], '2026-01-01T00:00:00.000Z');
  });

  it('nothing personal is printed', async () => {
    const commands = [
      ['review', 'list'],
      ['review', 'show', deposit],
      ['review', 'show', withdrawal],
      ['deposit', 'show', deposit],
      ['withdrawal', 'show', withdrawal],
      ['alerts'],
    ];
    for (const command of commands) {
      const { stdout } = await gateway.run(...command);
      for (const value of [...Object.values(PERSONAL), 'sealed', 'hash'])
        assert.ok(!stdout.includes(value), `${command.join(' ')} prints ${value}`);
    }
  });

  it('alerts: open ones, all, and resolve', async () => {
    assert.deepEqual(
      (await gateway.json('alerts'))['alerts'].map((one: { id: string; kind: string }) => [one.id, one.kind]),
      [[alert, 'LATE_PAYMENT']],
    );
    const resolved = await gateway.json('alerts', 'resolve', alert);
    assert.notEqual(resolved['resolved_at'], null);
    assert.deepEqual(await gateway.json('alerts', 'resolve', alert), resolved, 'resolving again keeps the time');
    const { entries } = await gateway.json('audit', 'list', '--subject', alert);
    assert.deepEqual(
      (entries as { action: string }[]).map(({ action }) => action),
      ['alert.resolve'],
      'audited once',
    );
    assert.deepEqual(await gateway.json('alerts'), { alerts: [] });
    assert.equal((await gateway.json('alerts', '--all'))['alerts'].length, 1);
    await gateway.fails(1, /no such alert/, 'alerts', 'resolve', 'alr_0');
  });

  it('an alert about money in suspense stays open while the money is held', async () => {
    const payments = [newEndToEndId('12345678', new Date()), newEndToEndId('12345678', new Date())] as const;
    const [held, other] = payments;
    const deposit = await insertLate(gateway, id, { payment: held, amount: '900' });
    const raise = async (occasion: string | null, kind = 'LATE_PAYMENT') => {
      const alertId = newId('alert');
      await gateway.rows(
        `INSERT INTO alert (id, kind, operation_id, object_id, occasion, detail, created_at)
         VALUES ($1, $2, $3, $4, $5, 'paid while expired', now())`,
        alertId,
        kind,
        id,
        deposit,
        occasion,
      );
      return alertId;
    };
    const [late, without, ofAnother, refusal] = [
      await raise(held),
      await raise(null, 'EXTRA_PAYMENT'),
      await raise(other, 'EXTRA_PAYMENT'),
      await raise(held, 'RETURN_REFUSED'),
    ];
    for (const alertId of [late, without])
      await gateway.fails(1, /its payment still lies in suspense/, 'alerts', 'resolve', alertId);
    for (const alertId of [ofAnother, refusal]) await gateway.json('alerts', 'resolve', alertId);
    const exit = ['--document', held, '--reason', 'credited by the operator', '--as', 'ana'];
    await gateway.json('cash', 'credit-suspense', '--operation', id, '899', ...exit);
    await gateway.fails(1, /its payment still lies in suspense/, 'alerts', 'resolve', late);
    await gateway.json('cash', 'credit-suspense', '--operation', id, '1', ...exit);
    for (const alertId of [late, without]) {
      const { resolved_at: at } = await gateway.json('alerts', 'resolve', alertId);
      assert.notEqual(at, null);
    }
  });

  it('review approve answers from the row what needs no workflow', async () => {
    const paid = await insertDeposit(gateway, id, { status: 'paid', movements: ['deposit_credited'] });
    await insertEvent(gateway, id, paid, 'deposit.paid').catch(() => undefined);
    await gateway.fails(1, /is paid; only what is under_review can be decided/, `review approve ${paid} --as ana`);
    await gateway.fails(1, /ana has decided already; another person must/, `review approve ${withdrawal} --as ANA`);
    await gateway.fails(1, /no such withdrawal/, 'review', 'refuse', 'wdr_0', '--as', 'ana');
    await gateway.fails(2, /a deposit cannot be refused; approve or return it/, `review refuse ${deposit} --as ana`);
    await gateway.fails(
      2,
      /a withdrawal cannot be returned; approve or refuse it/,
      `review return ${withdrawal} --as ana`,
    );
    await gateway.fails(
      2,
      /--reason: .*personal data/,
      `review approve ${deposit} --as ana --reason`,
      'CPF 529.982.247-25 checked',
    );
    await gateway.fails(2, /TEMPORAL_ADDRESS/, 'review', 'approve', deposit, '--as', 'ana');
  });
});
