// Payout: what the provider reports after the send, and what each state refuses.
import assert from 'node:assert/strict';
import {
  WITHDRAWAL_STATUSES,
  isWithdrawalClosed,
  withdrawalAllows,
  type WithdrawalStatus,
} from '../../domain/withdrawal.js';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';
import type { WithdrawalCase } from './harness/withdrawal-case.js';
import { withoutPeople } from './harness/expect-outcome.js';

const RESERVED = { available: -3000, pending_out: 3000 };
const GONE = { available: -3000, provider_clearing: 3000 };
const APPROVED = ['withdrawal.approved@1'];
const PROCESSING = [...APPROVED, 'withdrawal.processing@2'];

describe('withdrawal: payout and refusals', () => {
  const gateway = useGateway();

  describe('payout', () => {
    async function processingWithdrawal(): Promise<WithdrawalCase> {
      const withdrawal = gateway.newWithdrawal();
      await withdrawal.create();
      await withdrawal.untilStatus('processing');
      return withdrawal;
    }

    it('processing → paid: by callback; paid_at and psp_reference are the provider’s', async () => {
      const withdrawal = await processingWithdrawal();
      const paidAt = await gateway.now();
      withdrawal.payout.settle(paidAt);
      await withdrawal.notice();
      await withdrawal.expectOutcome({
        status: 'paid',
        version: 3,
        events: [...PROCESSING, 'withdrawal.paid@3'],
        ledger: GONE,
      });
      assert.equal(withdrawal.row.paidAt, paidAt);
      assert.equal(withdrawal.row.pspReference, withdrawal.payout.state?.endToEndId);
    });

    it('processing → paid: a callback ahead of the provider’s own answers, which show it a few seconds later', async () => {
      const withdrawal = await processingWithdrawal();
      await withdrawal.notice();
      // At once, and then after pauses of two and five seconds.
      await eventually(() => withdrawal.payout.lookups === 2, 'the provider is asked');
      await gateway.sleep(3);
      await eventually(() => withdrawal.payout.lookups === 3, 'it is asked again');
      withdrawal.payout.settle(await gateway.now());
      await gateway.sleep(6);
      await withdrawal.expectOutcome({
        status: 'paid',
        version: 3,
        events: [...PROCESSING, 'withdrawal.paid@3'],
        ledger: GONE,
      });
      assert.equal(withdrawal.payout.lookups, 4);
    });

    it('processing → paid: without any callback, by look-ups', async () => {
      const withdrawal = await processingWithdrawal();
      withdrawal.payout.settle(await gateway.now());
      await gateway.sleep(31);
      await withdrawal.expectOutcome({
        status: 'paid',
        version: 3,
        events: [...PROCESSING, 'withdrawal.paid@3'],
        ledger: GONE,
      });
    });

    it('processing → paid once: five callbacks', async () => {
      const withdrawal = await processingWithdrawal();
      withdrawal.payout.settle(await gateway.now());
      await Promise.all(Array.from({ length: 5 }, () => withdrawal.notice()));
      await withdrawal.expectOutcome({
        status: 'paid',
        version: 3,
        events: [...PROCESSING, 'withdrawal.paid@3'],
        ledger: GONE,
      });
    });

    it('approved → processing → paid: settled in the first reply', async () => {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.payout.sendAnswers.push('replies_paid');
      await withdrawal.create();
      await withdrawal.expectOutcome({
        status: 'paid',
        version: 3,
        events: [...PROCESSING, 'withdrawal.paid@3'],
        ledger: GONE,
      });
      assert.notEqual(withdrawal.row.paidAt, null);
    });

    it('approved → processing → failed: refused in the first reply, with the ISO code; the money is released', async () => {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.payout.sendAnswers.push('replies_failed');
      await withdrawal.create();
      await withdrawal.expectOutcome({ status: 'failed', version: 3, events: [...PROCESSING, 'withdrawal.failed@3'] });
      assert.equal(withdrawal.row.failureCode, 'AC03');
    });

    it('processing → failed: the provider names the ISO code later; the money is released', async () => {
      const withdrawal = await processingWithdrawal();
      withdrawal.payout.fail('AB03');
      await withdrawal.notice();
      await withdrawal.expectOutcome({ status: 'failed', version: 3, events: [...PROCESSING, 'withdrawal.failed@3'] });
      assert.equal(withdrawal.row.failureCode, 'AB03');
    });

    it('processing stays: the provider is silent for an hour, then settles', async () => {
      const withdrawal = await processingWithdrawal();
      withdrawal.payout.isSilent = true;
      await gateway.sleep(3600);
      await withdrawal.expectOutcome({ status: 'processing', version: 2, events: PROCESSING, ledger: RESERVED });
      withdrawal.payout.settle(await gateway.now());
      withdrawal.payout.isSilent = false;
      await gateway.sleep(3700);
      await withdrawal.expectOutcome({
        status: 'paid',
        version: 3,
        events: [...PROCESSING, 'withdrawal.paid@3'],
        ledger: GONE,
      });
    });

    it('paid → returned: the bank sends it back days later; to the cash box, by reopening', async () => {
      const withdrawal = await processingWithdrawal();
      withdrawal.payout.settle(await gateway.now());
      await withdrawal.refresh();
      await withdrawal.untilEnded();
      await gateway.sleep(4 * 86_400);
      withdrawal.payout.giveBack();
      assert.equal((await withdrawal.refresh()).status, 'returned');
      await withdrawal.notice();
      await withdrawal.expectOutcome({
        status: 'returned',
        version: 4,
        events: [...PROCESSING, 'withdrawal.paid@3', 'withdrawal.returned@4'],
      });
    });

    it('paid stays: the provider contradicts itself; reported, nothing changed', async () => {
      const withdrawal = await processingWithdrawal();
      withdrawal.payout.settle(await gateway.now());
      await withdrawal.refresh();
      withdrawal.payout.fail('AC06');
      await withdrawal.refresh();
      await withdrawal.expectOutcome({
        status: 'paid',
        version: 3,
        events: [...PROCESSING, 'withdrawal.paid@3'],
        ledger: GONE,
        alerts: ['PAYOUT_CONTRADICTION'],
      });
    });

    it('failed stays: the provider contradicts itself; reported, nothing changed', async () => {
      const withdrawal = await processingWithdrawal();
      withdrawal.payout.fail('AC03');
      await withdrawal.refresh();
      withdrawal.payout.settle(await gateway.now());
      await withdrawal.refresh();
      await withdrawal.expectOutcome({
        status: 'failed',
        version: 3,
        events: [...PROCESSING, 'withdrawal.failed@3'],
        alerts: ['PAYOUT_CONTRADICTION'],
      });
    });
  });

  describe('what each state refuses', () => {
    async function processed(withdrawal: WithdrawalCase, end: () => void): Promise<void> {
      await recipes.processing(withdrawal);
      end();
      await withdrawal.refresh();
    }
    const recipes: Record<WithdrawalStatus, (withdrawal: WithdrawalCase) => Promise<unknown>> = {
      requested: (withdrawal) => {
        withdrawal.ruling.withdrawal.keyHolder = 'in_directory';
        withdrawal.payout.keyOwner = 'unavailable';
        return withdrawal.create();
      },
      under_review: (withdrawal) => {
        withdrawal.ruling.withdrawal.reviewRequested = true;
        return withdrawal.create();
      },
      approved: (withdrawal) => {
        withdrawal.ruling.dispatchGate.close();
        return withdrawal.create();
      },
      processing: async (withdrawal) => {
        await withdrawal.create();
        await withdrawal.untilStatus('processing');
      },
      paid: (withdrawal) => processed(withdrawal, () => withdrawal.payout.settle('2026-01-01T00:00:00.000Z')),
      failed: (withdrawal) => processed(withdrawal, () => withdrawal.payout.fail('AC03')),
      returned: async (withdrawal) => {
        await recipes.paid(withdrawal);
        withdrawal.payout.giveBack();
        await withdrawal.refresh();
      },
      rejected: async (withdrawal) => {
        await recipes.under_review(withdrawal);
        await withdrawal.review('refuse');
      },
      cancelled: async (withdrawal) => {
        await recipes.under_review(withdrawal);
        await withdrawal.cancel();
      },
    };
    const actions = [
      ['cancel', (withdrawal: WithdrawalCase) => withdrawal.cancel()],
      ['approve', (withdrawal: WithdrawalCase) => withdrawal.review('approve', 'zoe')],
      ['refuse', (withdrawal: WithdrawalCase) => withdrawal.review('refuse', 'zoe')],
    ] as const;

    for (const status of WITHDRAWAL_STATUSES) {
      const refused = actions.filter(
        ([trigger]) => !withdrawalAllows(trigger, status) && !(trigger === 'cancel' && status === 'cancelled'),
      );
      if (refused.length === 0) continue;
      it(`${status}: ${refused.map(([trigger]) => trigger).join(', ')} change nothing`, async () => {
        const withdrawal = gateway.newWithdrawal();
        await recipes[status](withdrawal);
        const { row, written } = withdrawal;
        assert.equal(row.status, status);
        if (isWithdrawalClosed(status)) await withdrawal.untilEnded();
        // One that has ended has no workflow: the api answers by the row.
        const refusal = isWithdrawalClosed(status) ? 'closed' : { kind: 'invalid_state', withdrawal: row };
        for (const [trigger, act] of refused) assert.deepEqual(await act(withdrawal), refusal, trigger);
        assert.deepEqual(withdrawal.row, row);
        assert.deepEqual(withdrawal.written, written);
      });
    }

    it('cancelled: cancelled again is the same answer and no second event', async () => {
      const withdrawal = gateway.newWithdrawal();
      await recipes.under_review(withdrawal);
      const answers = await Promise.all([withdrawal.cancel(), withdrawal.cancel()]);
      // A second one that finds the workflow ended is answered by the row, with the same.
      const [first, second = first] = answers.filter((answer) => answer !== 'closed');
      assert.deepEqual(first, { kind: 'done', withdrawal: withoutPeople(withdrawal.row) });
      assert.deepEqual(second, first);
      await withdrawal.expectOutcome({
        status: 'cancelled',
        version: 2,
        events: ['withdrawal.under_review@1', 'withdrawal.cancelled@2'],
      });
    });
  });
});
