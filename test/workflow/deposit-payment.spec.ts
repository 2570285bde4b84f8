// What a payment does to a deposit: credited, held for people, or recorded as late.
import assert from 'node:assert/strict';
import type { DepositReviewReason } from '../../domain/deposit.js';
import type { DepositCase } from './harness/deposit-case.js';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';

const CREDITED = { available: 5000, provider_clearing: -5000 };
const HELD = { pending_in: 5000, provider_clearing: -5000 };
const LATE = { suspense: 5000, provider_clearing: -5000 };
const PAID = { status: 'paid', version: 3, events: ['deposit.pending@2', 'deposit.paid@3'], ledger: CREDITED } as const;

describe('deposit: payment', () => {
  const gateway = useGateway();

  it('pending → paid: the exact amount from the player, by callback', async () => {
    const deposit = await gateway.pendingDeposit();
    const payment = await deposit.payAtProvider();
    await deposit.notice(payment.endToEndId);
    await deposit.expectOutcome(PAID);
    const { paidAmountMinor, paidAt, endToEndId, hasPayer } = deposit.row;
    assert.deepEqual(
      { paidAmountMinor, paidAt, endToEndId, hasPayer },
      { paidAmountMinor: '5000', paidAt: payment.paidAt, endToEndId: payment.endToEndId, hasPayer: true },
    );
    assert.equal(deposit.database.sealedPayerOf(deposit.id), payment.sealedPayer);
  });

  it('pending → paid: a refresh answers with the deposit it led to', async () => {
    const deposit = await gateway.pendingDeposit();
    assert.equal((await deposit.pay()).status, 'paid');
    await deposit.expectOutcome(PAID);
  });

  it('pending → paid once: five callbacks of one payment', async () => {
    const deposit = await gateway.pendingDeposit();
    const { endToEndId } = await deposit.payAtProvider();
    await Promise.all(Array.from({ length: 5 }, () => deposit.notice(endToEndId)));
    await deposit.expectOutcome(PAID);
    await deposit.notice(endToEndId);
    await deposit.refresh();
    await deposit.expectOutcome(PAID);
  });

  it('pending → paid: the provider is silent when the callback comes, and is asked until it answers', async () => {
    const deposit = await gateway.pendingDeposit();
    await deposit.payAtProvider();
    deposit.charge.isSilent = true;
    await deposit.notice();
    await gateway.sleep(300);
    await deposit.expectOutcome({ status: 'pending', version: 2, events: ['deposit.pending@2'] });
    deposit.charge.isSilent = false;
    await gateway.sleep(31);
    await deposit.expectOutcome(PAID);
  });

  it('pending → paid: a callback ahead of the provider’s own answers, which show the payment a few seconds later', async () => {
    const deposit = await gateway.pendingDeposit();
    await deposit.notice();
    await eventually(() => deposit.charge.lookups === 1, 'the provider is asked');
    await gateway.sleep(3);
    await eventually(() => deposit.charge.lookups === 2, 'it is asked again');
    await deposit.payAtProvider();
    await gateway.sleep(6);
    await deposit.expectOutcome(PAID);
  });

  it('pending → expired in its time: a callback without a payment behind it is looked up four times more', async () => {
    const deposit = await gateway.pendingDeposit();
    await deposit.notice('E-forged');
    await eventually(() => deposit.charge.lookups === 1, 'the provider is asked');
    await gateway.sleep(600);
    await eventually(
      () => deposit.charge.lookups === 5,
      `asked after 2, 5, 15 and 60 s, not ${deposit.charge.lookups}`,
    );
    await deposit.expectOutcome({ status: 'pending', version: 2, events: ['deposit.pending@2'] });
    await gateway.sleep((Date.parse(deposit.row.expiresAt) - Date.parse(deposit.row.createdAt)) / 1_000);
    await deposit.expectOutcome({ status: 'expired', version: 3, events: ['deposit.pending@2', 'deposit.expired@3'] });
  });

  it('pending: a callback without a payment behind it changes nothing', async () => {
    const deposit = await gateway.pendingDeposit();
    await deposit.notice('E-forged');
    await eventually(() => deposit.charge.lookups === 1, 'the provider is asked');
    await deposit.expectOutcome({ status: 'pending', version: 2, events: ['deposit.pending@2'] });
  });

  describe('in doubt: pending → under_review', () => {
    const rows: readonly {
      title: string;
      reasons: readonly DepositReviewReason[];
      ledger?: Record<string, number>;
      pay: (deposit: DepositCase) => Promise<unknown>;
    }[] = [
      {
        title: 'payer differs',
        reasons: ['PAYER_MISMATCH'],
        pay: (deposit) => deposit.pay({ payerMatch: 'mismatch' }),
      },
      { title: 'payer unknown', reasons: ['PAYER_UNKNOWN'], pay: (deposit) => deposit.pay({ payerMatch: 'unknown' }) },
      {
        title: 'payer on a block list',
        reasons: ['PAYER_BLOCKED'],
        pay: (deposit) => {
          deposit.ruling.payment.payerBlocked = true;
          return deposit.pay();
        },
      },
      {
        title: 'less than charged',
        reasons: ['AMOUNT_MISMATCH'],
        ledger: { pending_in: 4999, provider_clearing: -4999 },
        pay: (deposit) => deposit.pay({ amountMinor: '4999' }),
      },
      {
        title: 'more than charged',
        reasons: ['AMOUNT_MISMATCH'],
        ledger: { pending_in: 5001, provider_clearing: -5001 },
        pay: (deposit) => deposit.pay({ amountMinor: '5001' }),
      },
      {
        title: 'paid in the grace after expires_at',
        reasons: ['PAID_AFTER_EXPIRY'],
        pay: async (deposit) => {
          await gateway.sleepUntil(deposit.row.expiresAt, 60);
          return deposit.pay();
        },
      },
      {
        title: 'several reasons at once, all of them said',
        reasons: ['PAYER_MISMATCH', 'AMOUNT_MISMATCH'],
        ledger: { pending_in: 1, provider_clearing: -1 },
        pay: (deposit) => deposit.pay({ payerMatch: 'mismatch', amountMinor: '1' }),
      },
      {
        title: 'the rules are down',
        reasons: ['RULES_UNAVAILABLE'],
        pay: async (deposit) => {
          deposit.ruling.down.add('payment');
          await deposit.payAtProvider();
          await deposit.notice();
          await gateway.sleep(6);
        },
      },
      {
        title: 'the rules answer nonsense',
        reasons: ['RULES_INVALID_RESPONSE'],
        pay: (deposit) => {
          deposit.ruling.nonsense.set('payment', { kind: 'review', reasons: [], ruleSetVersion: 7 });
          return deposit.pay();
        },
      },
      {
        title: 'the rules credit another amount than was charged',
        reasons: ['AMOUNT_MISMATCH', 'RULES_INVALID_RESPONSE'],
        ledger: { pending_in: 4000, provider_clearing: -4000 },
        pay: (deposit) => {
          deposit.ruling.nonsense.set('payment', { kind: 'credit', ruleSetVersion: 7 });
          return deposit.pay({ amountMinor: '4000' });
        },
      },
      {
        title: 'the rules forget to mention another amount',
        reasons: ['PAYER_UNKNOWN', 'AMOUNT_MISMATCH'],
        ledger: { pending_in: 4000, provider_clearing: -4000 },
        pay: (deposit) => {
          deposit.ruling.nonsense.set('payment', { kind: 'review', reasons: ['PAYER_UNKNOWN'], ruleSetVersion: 7 });
          return deposit.pay({ amountMinor: '4000' });
        },
      },
    ];
    for (const { title, reasons, ledger, pay } of rows) {
      it(`pending → under_review: ${title}`, async () => {
        const deposit = await gateway.pendingDeposit();
        await pay(deposit);
        await deposit.expectOutcome({
          status: 'under_review',
          version: 3,
          events: ['deposit.pending@2', 'deposit.under_review@3'],
          ledger: ledger ?? HELD,
        });
        assert.deepEqual(deposit.row.reviewReasons, reasons);
      });
    }
  });

  describe('after the end: no state change (rule 1)', () => {
    const ends = [
      {
        status: 'expired',
        end: async (deposit: DepositCase) => {
          await deposit.create();
          await deposit.expire();
        },
      },
      {
        status: 'cancelled',
        end: async (deposit: DepositCase) => {
          await deposit.create();
          await deposit.cancel();
        },
      },
      {
        status: 'failed',
        end: async (deposit: DepositCase) => {
          await deposit.create();
          deposit.charge.isRemoved = true;
          await deposit.refresh();
          deposit.charge.isRemoved = false;
        },
      },
    ] as const;
    for (const { status, end } of ends) {
      it(`${status}: a late payment is stored, kept in suspense and reported, once`, async () => {
        const deposit = gateway.newDeposit();
        await end(deposit);
        await deposit.untilEnded();
        const payment = await deposit.payAtProvider();
        await deposit.notice();
        await eventually(() => deposit.row.latePayment, 'the late payment is recorded');
        await deposit.notice();
        await deposit.refresh();
        await deposit.expectOutcome({
          status,
          version: 3,
          events: ['deposit.pending@2', `deposit.${status}@3`],
          ledger: LATE,
          alerts: ['LATE_PAYMENT'],
        });
        const { paidAmountMinor, paidAt, hasPayer, latePayment } = deposit.row;
        assert.deepEqual(
          { paidAmountMinor, paidAt, hasPayer, latePayment },
          { paidAmountMinor: '5000', paidAt: payment.paidAt, hasPayer: true, latePayment: true },
        );
      });
    }

    it('expired: a second late payment is kept in suspense too', async () => {
      const deposit = await gateway.pendingDeposit();
      await deposit.expire();
      await deposit.pay();
      await deposit.pay({ amountMinor: '700' });
      await deposit.refresh();
      await deposit.expectOutcome({
        status: 'expired',
        version: 3,
        events: ['deposit.pending@2', 'deposit.expired@3'],
        ledger: { suspense: 5700, provider_clearing: -5700 },
        alerts: ['EXTRA_PAYMENT', 'LATE_PAYMENT'],
      });
      assert.equal(deposit.row.paidAmountMinor, '5000');
    });

    it('paid: an extra payment is kept in suspense and reported, once', async () => {
      const deposit = await gateway.pendingDeposit();
      await deposit.pay();
      await deposit.pay({ amountMinor: '5000' });
      await deposit.refresh();
      await deposit.refresh();
      await deposit.expectOutcome({
        ...PAID,
        ledger: { available: 5000, suspense: 5000, provider_clearing: -10_000 },
        alerts: ['EXTRA_PAYMENT'],
      });
    });

    it('paid: two extra payments are two alerts, and one that was dealt with is not raised again', async () => {
      const deposit = await gateway.pendingDeposit();
      await deposit.pay();
      await deposit.pay();
      await deposit.refresh();
      for (const alert of deposit.database.alerts.filter(({ objectId }) => objectId === deposit.id))
        alert.resolved = true;
      await deposit.pay({ amountMinor: '700' });
      await deposit.pay({ amountMinor: '800' });
      await deposit.refresh();
      await deposit.expectOutcome({
        ...PAID,
        ledger: { available: 5000, suspense: 6500, provider_clearing: -11_500 },
        alerts: ['EXTRA_PAYMENT', 'EXTRA_PAYMENT'],
      });
    });
  });
});
