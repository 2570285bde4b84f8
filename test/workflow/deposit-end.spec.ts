// How a deposit ends without payment, by review, and after it was paid; and what each state refuses.
import assert from 'node:assert/strict';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { DEPOSIT_STATUSES, type DepositStatus, depositAllows, isDepositClosed } from '../../domain/deposit.js';
import { reviewDeposit } from '../../contract/temporal/deposit.js';
import { chargeReferenceOf, newId } from '../../domain/identifiers.js';
import type { DepositCase } from './harness/deposit-case.js';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';
import { withoutPeople } from './harness/expect-outcome.js';

const HELD = { pending_in: 5000, provider_clearing: -5000 };
const CREDITED = { available: 5000, provider_clearing: -5000 };
const REVIEWED = ['deposit.pending@2', 'deposit.under_review@3'];

describe('deposit: how it ends', () => {
  const gateway = useGateway();

  describe('expiry and cancel', () => {
    it('pending → expired: two minutes after expires_at, not a second before', async () => {
      const deposit = await gateway.pendingDeposit({ expiresInSeconds: 300 });
      await gateway.sleepUntil(deposit.row.expiresAt, 119);
      await deposit.expectOutcome({ status: 'pending', version: 2, events: ['deposit.pending@2'] });
      await gateway.sleep(1.5);
      await deposit.expectOutcome({
        status: 'expired',
        version: 3,
        events: ['deposit.pending@2', 'deposit.expired@3'],
      });
      const lateMs = Date.parse(deposit.row.updatedAt) - Date.parse(deposit.row.expiresAt) - 120_000;
      // The server's clock runs on in real time between skips: a busy machine is late by what its own work takes.
      assert.ok(lateMs >= 0 && lateMs < 15_000, `expired ${lateMs} ms after the grace`);
    });

    it('pending → one end: paid, cancelled and notified at the very moment of expiry', async () => {
      const deposit = await gateway.pendingDeposit();
      await deposit.payAtProvider({ paidAt: deposit.row.createdAt });
      await gateway.sleepUntil(deposit.row.expiresAt, 119.9);
      // The clock runs on as real time does: the expiry falls due in the middle of it.
      await Promise.all([new Promise((resolve) => setTimeout(resolve, 100)), deposit.cancel(), deposit.notice()]);
      await eventually(() => deposit.row.version === 3, 'an end');
      await deposit.refresh();
      const { status } = deposit.row;
      await deposit.expectOutcome({
        status,
        version: 3,
        events: ['deposit.pending@2', `deposit.${status}@3`],
        ledger: status === 'paid' ? CREDITED : { suspense: 5000, provider_clearing: -5000 },
        alerts: status === 'paid' ? [] : ['LATE_PAYMENT'],
      });
    });

    it('pending → paid: the last look before expiry finds a payment in time whose callback was lost', async () => {
      const deposit = await gateway.pendingDeposit();
      await deposit.payAtProvider();
      await gateway.sleepUntil(deposit.row.expiresAt, 121);
      const events = ['deposit.pending@2', 'deposit.paid@3'];
      await deposit.expectOutcome({ status: 'paid', version: 3, events, ledger: CREDITED });
    });

    it('pending → expired: the provider is asked until it answers, and the payment came in time', async () => {
      const deposit = await gateway.pendingDeposit();
      deposit.charge.isSilent = true;
      await deposit.payAtProvider();
      await gateway.sleepUntil(deposit.row.expiresAt, 150);
      const expired = { status: 'expired', version: 3, events: ['deposit.pending@2', 'deposit.expired@3'] } as const;
      await deposit.expectOutcome({ ...expired, alerts: ['EXPIRY_UNCONFIRMED'] });
      deposit.charge.isSilent = false;
      await gateway.sleep(400);
      const ledger = { suspense: 5000, provider_clearing: -5000 };
      await deposit.expectOutcome({ ...expired, ledger, alerts: ['PAID_IN_TIME'] });
    });

    it('pending → expired: on request (sandbox)', async () => {
      const deposit = await gateway.pendingDeposit();
      assert.deepEqual(await deposit.expire(), { kind: 'done', deposit: withoutPeople(deposit.row) });
      await deposit.expectOutcome({
        status: 'expired',
        version: 3,
        events: ['deposit.pending@2', 'deposit.expired@3'],
      });
    });

    it('pending → cancelled; cancelled again: the same answer and no second event', async () => {
      const deposit = await gateway.pendingDeposit();
      const answers = await Promise.all([deposit.cancel(), deposit.cancel()]);
      // A second one that finds the workflow ended is answered by the row, with the same.
      const [first, second = first] = answers.filter((answer) => answer !== 'closed');
      assert.deepEqual(first, { kind: 'done', deposit: withoutPeople(deposit.row) });
      assert.deepEqual(second, first);
      await deposit.expectOutcome({
        status: 'cancelled',
        version: 3,
        events: ['deposit.pending@2', 'deposit.cancelled@3'],
      });
    });

    it('pending → failed: the provider withdrew the charge', async () => {
      const deposit = await gateway.pendingDeposit();
      deposit.charge.isRemoved = true;
      assert.equal((await deposit.refresh()).failureCode, 'psp_removed');
      await deposit.expectOutcome({ status: 'failed', version: 3, events: ['deposit.pending@2', 'deposit.failed@3'] });
    });
  });

  describe('review', () => {
    async function reviewedDeposit(settings: { amountMinor?: string } = {}): Promise<DepositCase> {
      const deposit = await gateway.pendingDeposit();
      await deposit.pay({ payerMatch: 'mismatch', ...settings });
      return deposit;
    }

    it('under_review → paid: a person approves', async () => {
      const deposit = await reviewedDeposit();
      assert.deepEqual(await deposit.review('approve', 'ana'), { kind: 'done', deposit: withoutPeople(deposit.row) });
      await deposit.expectOutcome({
        status: 'paid',
        version: 4,
        events: [...REVIEWED, 'deposit.paid@4'],
        ledger: CREDITED,
      });
      assert.deepEqual(deposit.row.reviewReasons, []);
      assert.deepEqual(
        deposit.row.decidedBy.map(({ person, decision }) => [person, decision]),
        [['ana', 'approve']],
      );
    });

    it('under_review: another amount than was charged cannot be approved', async () => {
      const deposit = await reviewedDeposit({ amountMinor: '4000' });
      const answer = await deposit.review('approve');
      assert.equal(answer !== 'closed' && answer.kind, 'invalid_state');
      await deposit.expectOutcome({
        status: 'under_review',
        version: 3,
        events: REVIEWED,
        ledger: { pending_in: 4000, provider_clearing: -4000 },
      });
    });

    it('under_review → returned: another amount goes back in full', async () => {
      const deposit = await reviewedDeposit({ amountMinor: '4000' });
      assert.deepEqual(await deposit.review('return'), { kind: 'done', deposit: withoutPeople(deposit.row) });
      await deposit.expectOutcome({ status: 'returned', version: 4, events: [...REVIEWED, 'deposit.returned@4'] });
      assert.equal(deposit.charge.returns, 1);
    });

    it('under_review → returned: the provider does not answer at first, and needs minutes', async () => {
      const deposit = await reviewedDeposit();
      deposit.charge.returnAnswers.push('unknown', { kind: 'pending' }, { kind: 'pending' });
      const answer = deposit.review('return');
      await eventually(() => deposit.charge.returns > 0, 'the return is asked for');
      // While the money is on its way back, it can be neither credited nor returned again.
      const [approval, secondReturn] = await Promise.all([
        deposit.review('approve', 'bob'),
        deposit.review('return', 'bob'),
      ]);
      assert.equal(approval !== 'closed' && approval.kind, 'invalid_state');
      assert.equal(secondReturn !== 'closed' && secondReturn.kind, 'invalid_state');
      await gateway.sleep(120);
      const answered = await answer;
      assert.equal(answered !== 'closed' && answered.kind, 'returning', 'nobody waits for minutes');
      await deposit.expectOutcome({ status: 'returned', version: 4, events: [...REVIEWED, 'deposit.returned@4'] });
      assert.equal(deposit.charge.returns, 4);
    });

    it('under_review stays: the provider refuses the return; then a person approves', async () => {
      const deposit = await reviewedDeposit();
      deposit.charge.returnAnswers.push({ kind: 'refused', code: 'too_late' });
      const answer = await deposit.review('return');
      assert.equal(answer !== 'closed' && answer.kind, 'invalid_state');
      await deposit.expectOutcome({
        status: 'under_review',
        version: 3,
        events: REVIEWED,
        ledger: HELD,
        alerts: ['RETURN_REFUSED'],
      });
      await deposit.review('approve');
      await deposit.expectOutcome({
        status: 'paid',
        version: 4,
        events: [...REVIEWED, 'deposit.paid@4'],
        ledger: CREDITED,
        alerts: ['RETURN_REFUSED'],
      });
    });

    it('under_review → returned: pending for a day, then people conclude it; a look-up hurries it', async () => {
      const deposit = await reviewedDeposit();
      deposit.charge.returnAnswers.push(...Array.from({ length: 1_000 }, () => ({ kind: 'pending' }) as const));
      const answer = await deposit.review('return');
      assert.equal(answer !== 'closed' && answer.kind, 'returning');
      await gateway.sleep(86_400);
      deposit.conclude('done', await gateway.now());
      await deposit.refresh();
      const asked = deposit.charge.returns;
      await gateway.sleep(30);
      await deposit.expectOutcome({ status: 'returned', version: 4, events: [...REVIEWED, 'deposit.returned@4'] });
      assert.equal(deposit.charge.returns, asked, 'it is not asked for again');
      deposit.reverseAtProvider('refund', { reference: chargeReferenceOf(deposit.id) });
      await deposit.refresh();
      await deposit.expectOutcome({ status: 'returned', version: 4, events: [...REVIEWED, 'deposit.returned@4'] });
    });

    it('under_review → paid → refunded: people conclude that the return was never made, and it is made after all', async () => {
      const deposit = await reviewedDeposit();
      deposit.charge.returnAnswers.push(...Array.from({ length: 1_000 }, () => ({ kind: 'pending' }) as const));
      await deposit.review('return');
      await gateway.sleep(86_400);
      deposit.conclude('never', await gateway.now());
      // Nobody hurries it.
      await gateway.sleep(1_000);
      await deposit.expectOutcome({ status: 'under_review', version: 3, events: REVIEWED, ledger: HELD });
      await deposit.review('approve');
      const paid = [...REVIEWED, 'deposit.paid@4'];
      await deposit.expectOutcome({ status: 'paid', version: 4, events: paid, ledger: CREDITED });
      deposit.reverseAtProvider('refund', { reference: chargeReferenceOf(deposit.id) });
      await deposit.notice();
      await eventually(() => deposit.row.version === 5, 'it is refunded');
      const alerts = ['RETURN_CONTRADICTION'] as const;
      await deposit.expectOutcome({ status: 'refunded', version: 5, events: [...paid, 'deposit.refunded@5'], alerts });
    });

    it('returned: the provider’s own report of our return is no reversal', async () => {
      const deposit = await reviewedDeposit();
      await deposit.review('return');
      deposit.reverseAtProvider('refund', { reference: chargeReferenceOf(deposit.id) });
      await deposit.refresh();
      await deposit.expectOutcome({ status: 'returned', version: 4, events: [...REVIEWED, 'deposit.returned@4'] });
    });

    it('under_review: a decision needs a stored act', async () => {
      const deposit = await reviewedDeposit();
      const review = (actId: string) =>
        deposit.handle.executeUpdate(reviewDeposit, { args: [{ decision: 'approve', actId }] });
      await assert.rejects(review('ana'), WorkflowUpdateFailedError);
      assert.equal((await review(newId('staffAct'))).kind, 'unknown_act');
      await deposit.expectOutcome({ status: 'under_review', version: 3, events: REVIEWED, ledger: HELD });
    });

    it('under_review outlives its expiry by days', async () => {
      const deposit = await reviewedDeposit();
      await gateway.sleep(3 * 86_400);
      await deposit.expectOutcome({ status: 'under_review', version: 3, events: REVIEWED, ledger: HELD });
      await deposit.review('approve');
      await deposit.expectOutcome({
        status: 'paid',
        version: 4,
        events: [...REVIEWED, 'deposit.paid@4'],
        ledger: CREDITED,
      });
    });
  });

  describe('after paid', () => {
    async function paidDeposit(): Promise<DepositCase> {
      const deposit = await gateway.pendingDeposit();
      await deposit.pay();
      await deposit.untilEnded();
      return deposit;
    }

    for (const [kind, status] of [
      ['refund', 'refunded'],
      ['chargeback', 'chargeback'],
    ] as const) {
      it(`paid → ${status}: the provider reports it, days later, and the deposit is reopened`, async () => {
        const deposit = await paidDeposit();
        await gateway.sleep(5 * 86_400);
        deposit.reverseAtProvider(kind);
        assert.equal((await deposit.refresh()).status, status);
        await deposit.notice();
        await deposit.refresh();
        await deposit.expectOutcome({
          status,
          version: 4,
          events: ['deposit.pending@2', 'deposit.paid@3', `deposit.${status}@4`],
        });
      });

      it(`pending → paid → ${status}: paid and reversed before anybody looked`, async () => {
        const deposit = await gateway.pendingDeposit();
        await deposit.payAtProvider();
        deposit.reverseAtProvider(kind);
        await deposit.refresh();
        await deposit.expectOutcome({
          status,
          version: 4,
          events: ['deposit.pending@2', 'deposit.paid@3', `deposit.${status}@4`],
        });
      });
    }

    it('paid stays: a return that is not done yet', async () => {
      const deposit = await paidDeposit();
      deposit.reverseAtProvider('refund', { state: 'pending' });
      await deposit.refresh();
      await deposit.expectOutcome({
        status: 'paid',
        version: 3,
        events: ['deposit.pending@2', 'deposit.paid@3'],
        ledger: CREDITED,
      });
    });

    it('paid stays: a return of a part leaves the cash box', async () => {
      const deposit = await paidDeposit();
      deposit.reverseAtProvider('refund', { amountMinor: '100' });
      await deposit.refresh();
      await deposit.expectOutcome({
        status: 'paid',
        version: 3,
        events: ['deposit.pending@2', 'deposit.paid@3'],
        ledger: { available: 4_900, provider_clearing: -4_900 },
        alerts: ['PARTIAL_REVERSAL'],
      });
    });

    it('under_review → returned: a return that we did not ask for; nothing can be credited', async () => {
      const deposit = await gateway.pendingDeposit();
      await deposit.pay({ payerMatch: 'unknown' });
      deposit.reverseAtProvider('chargeback');
      await deposit.refresh();
      await deposit.expectOutcome({ status: 'returned', version: 4, events: [...REVIEWED, 'deposit.returned@4'] });
      const answer = await deposit.review('approve');
      assert.ok(answer === 'closed' || answer.kind === 'invalid_state');
    });

    it('under_review → returned: the approval itself finds that the payment went back', async () => {
      const deposit = await gateway.pendingDeposit();
      await deposit.pay({ payerMatch: 'unknown' });
      deposit.reverseAtProvider('chargeback');
      const answer = await deposit.review('approve');
      assert.equal(answer !== 'closed' && answer.kind, 'invalid_state');
      await deposit.expectOutcome({ status: 'returned', version: 4, events: [...REVIEWED, 'deposit.returned@4'] });
    });

    it('under_review: a part went back, so it cannot be approved; the rest is returned', async () => {
      const deposit = await gateway.pendingDeposit();
      await deposit.pay({ payerMatch: 'unknown' });
      deposit.reverseAtProvider('refund', { amountMinor: '1500', reference: 'R1' });
      const answer = await deposit.review('approve');
      assert.equal(answer !== 'closed' && answer.kind, 'invalid_state');
      const alerts = ['PARTIAL_REVERSAL'] as const;
      const ledger = { pending_in: 3_500, provider_clearing: -3_500 };
      await deposit.expectOutcome({ status: 'under_review', version: 3, events: REVIEWED, ledger, alerts });
      assert.deepEqual(await deposit.review('return'), { kind: 'done', deposit: withoutPeople(deposit.row) });
      assert.deepEqual(deposit.charge.returnedMinor, ['3500']);
      await deposit.expectOutcome({
        status: 'returned',
        version: 4,
        events: [...REVIEWED, 'deposit.returned@4'],
        alerts,
      });
    });

    it('under_review: nobody approves while the provider is silent', async () => {
      const deposit = await gateway.pendingDeposit();
      await deposit.pay({ payerMatch: 'unknown' });
      deposit.charge.isSilent = true;
      const approval = deposit.review('approve');
      await gateway.sleep(15);
      const answer = await approval;
      assert.equal(answer !== 'closed' && answer.kind, 'provider_silent');
      await deposit.expectOutcome({ status: 'under_review', version: 3, events: REVIEWED, ledger: HELD });
    });
  });

  describe('what each state refuses', () => {
    const recipes: Record<DepositStatus, (deposit: DepositCase) => Promise<unknown>> = {
      created: async (deposit) => {
        deposit.charge.isSilent = true;
        const creation = deposit.create();
        await eventually(() => deposit.charge.creationAttempts > 0, 'the provider is asked');
        await gateway.sleep(8);
        await creation;
      },
      pending: (deposit) => deposit.create(),
      under_review: async (deposit) => {
        await deposit.create();
        await deposit.pay({ payerMatch: 'mismatch' });
      },
      paid: async (deposit) => {
        await deposit.create();
        await deposit.pay();
      },
      expired: async (deposit) => {
        await deposit.create();
        await deposit.expire();
      },
      cancelled: async (deposit) => {
        await deposit.create();
        await deposit.cancel();
      },
      failed: async (deposit) => {
        deposit.charge.creationAnswers.push({ kind: 'refused', failureCode: 'psp_rejected' });
        await deposit.create();
      },
      returned: async (deposit) => {
        await recipes.under_review(deposit);
        await deposit.review('return');
      },
      refunded: async (deposit) => {
        await recipes.paid(deposit);
        deposit.reverseAtProvider('refund');
        await deposit.refresh();
      },
      chargeback: async (deposit) => {
        await recipes.paid(deposit);
        deposit.reverseAtProvider('chargeback');
        await deposit.refresh();
      },
    };
    const actions = [
      ['cancel', (deposit: DepositCase) => deposit.cancel()],
      ['expiry', (deposit: DepositCase) => deposit.expire()],
      ['approve', (deposit: DepositCase) => deposit.review('approve')],
      ['return', (deposit: DepositCase) => deposit.review('return')],
    ] as const;

    for (const status of DEPOSIT_STATUSES) {
      const refused = actions.filter(
        ([trigger]) => !depositAllows(trigger, status) && !(trigger === 'cancel' && status === 'cancelled'),
      );
      it(`${status}: ${refused.map(([trigger]) => trigger).join(', ')} change nothing`, async () => {
        const deposit = gateway.newDeposit();
        await recipes[status](deposit);
        assert.equal(deposit.row.status, status);
        if (isDepositClosed(status)) await deposit.untilEnded();
        const { row, written } = deposit;
        // One that has ended has no workflow: the api answers by the row.
        const refusal = isDepositClosed(status) ? 'closed' : { kind: 'invalid_state', deposit: row };
        for (const [trigger, act] of refused) assert.deepEqual(await act(deposit), refusal, trigger);
        assert.deepEqual(deposit.row, row);
        assert.deepEqual(deposit.written, written);
      });
    }
  });
});
