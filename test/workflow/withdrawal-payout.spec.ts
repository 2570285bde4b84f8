// From approval to the provider's last word: people, the checks before the send, the one send, and what became of it.
import assert from 'node:assert/strict';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { reviewWithdrawal, type WithdrawalReview } from '../../contract/temporal/withdrawal.js';
import { WITHDRAWAL_STATUSES, withdrawalAllows, type WithdrawalStatus } from '../../domain/withdrawal.js';
import { eventually } from '../../tools/harness/eventually.js';
import { useGateway } from './harness/gateway.js';
import type { WithdrawalCase } from './harness/withdrawal-case.js';

const RESERVED = { available: -3000, pending_out: 3000 };
const GONE = { available: -3000, provider_clearing: 3000 };
const APPROVED = ['withdrawal.approved@1'];
const PROCESSING = [...APPROVED, 'withdrawal.processing@2'];

describe('withdrawal: from approval to the last word', () => {
  const gateway = useGateway();

  describe('review', () => {
    async function reviewedWithdrawal({ dual = false } = {}): Promise<WithdrawalCase> {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.ruling.dispatchGate.close();
      if (dual) withdrawal.ruling.thresholds.dualApprovalAboveMinor = '1000';
      else withdrawal.ruling.withdrawal.reviewRequested = true;
      await withdrawal.create();
      return withdrawal;
    }

    it('under_review → approved: one approval', async () => {
      const withdrawal = await reviewedWithdrawal();
      assert.deepEqual(await withdrawal.review('approve', 'ana'), { kind: 'done', withdrawal: withdrawal.row });
      await withdrawal.expectOutcome({
        status: 'approved',
        version: 2,
        events: ['withdrawal.under_review@1', 'withdrawal.approved@2'],
        ledger: RESERVED,
      });
      const { decidedBy, decidedAt, reasons, mode } = withdrawal.row.decision;
      assert.deepEqual(
        decidedBy.map(({ person, decision }) => [person, decision]),
        [['ana', 'approve']],
      );
      assert.deepEqual(
        { reasons, mode, decidedAt },
        { reasons: ['OPERATOR_REVIEW_REQUESTED'], mode: 'manual', decidedAt: withdrawal.row.updatedAt },
      );
    });

    it('under_review → approved: two different people where two are needed; the same person twice is not two', async () => {
      const withdrawal = await reviewedWithdrawal({ dual: true });
      assert.deepEqual(withdrawal.row.decision.reasons, ['DUAL_APPROVAL_REQUIRED']);
      await withdrawal.review('approve', 'ana');
      await withdrawal.expectOutcome({
        status: 'under_review',
        version: 1,
        events: ['withdrawal.under_review@1'],
        ledger: RESERVED,
      });
      assert.equal(withdrawal.row.decision.decidedAt, null);
      assert.deepEqual(await withdrawal.review('approve', 'ana'), { kind: 'same_person', withdrawal: withdrawal.row });
      await withdrawal.expectOutcome({
        status: 'under_review',
        version: 1,
        events: ['withdrawal.under_review@1'],
        ledger: RESERVED,
      });
      await withdrawal.review('approve', 'bob');
      await withdrawal.expectOutcome({
        status: 'approved',
        version: 2,
        events: ['withdrawal.under_review@1', 'withdrawal.approved@2'],
        ledger: RESERVED,
      });
      assert.deepEqual(
        withdrawal.row.decision.decidedBy.map(({ person }) => person),
        ['ana', 'bob'],
      );
    });

    for (const same of ['Ana', ' ana', 'a-n.a', 'Ána']) {
      it(`under_review: "${same}" who approved as "ana" is no second person`, async () => {
        const withdrawal = await reviewedWithdrawal({ dual: true });
        await withdrawal.review('approve', 'ana');
        const answer = await withdrawal.review('approve', same.trim());
        assert.equal(answer !== 'closed' && answer.kind, 'same_person');
        await withdrawal.expectOutcome({
          status: 'under_review',
          version: 1,
          events: ['withdrawal.under_review@1'],
          ledger: RESERVED,
        });
      });
    }

    for (const [what, review] of [
      ['nobody', { decision: 'approve', person: ' ', reason: '' }],
      ['an e-mail address', { decision: 'approve', person: 'ana@example.test', reason: '' }],
      ['an unknown decision', { decision: 'return', person: 'ana', reason: '' }],
      ['a reason without end', { decision: 'refuse', person: 'ana', reason: 'x'.repeat(501) }],
    ] as const) {
      it(`under_review: a decision with ${what} is refused before it is taken in, and the next one counts`, async () => {
        const withdrawal = await reviewedWithdrawal();
        await assert.rejects(
          withdrawal.handle.executeUpdate(reviewWithdrawal, { args: [review as WithdrawalReview] }),
          (error: unknown) =>
            error instanceof WorkflowUpdateFailedError &&
            error.cause instanceof ApplicationFailure &&
            error.cause.type === 'InvalidReview',
        );
        await withdrawal.expectOutcome({
          status: 'under_review',
          version: 1,
          events: ['withdrawal.under_review@1'],
          ledger: RESERVED,
        });
        await withdrawal.review('refuse', 'ana');
        assert.equal(withdrawal.row.status, 'rejected');
      });
    }

    it('under_review → approved once: two people at the same moment', async () => {
      const withdrawal = await reviewedWithdrawal();
      const answers = await Promise.all([withdrawal.review('approve', 'ana'), withdrawal.review('refuse', 'bob')]);
      assert.deepEqual(
        answers.map((answer) => answer !== 'closed' && answer.kind).sort(),
        ['done', 'invalid_state'].sort(),
      );
      assert.equal(withdrawal.row.version, 2);
    });

    it('under_review → rejected: a refusal releases the money', async () => {
      const withdrawal = await reviewedWithdrawal();
      await withdrawal.review('refuse', 'ana');
      await withdrawal.expectOutcome({
        status: 'rejected',
        version: 2,
        events: ['withdrawal.under_review@1', 'withdrawal.rejected@2'],
      });
    });

    it('under_review → rejected: one refusal outweighs an earlier approval', async () => {
      const withdrawal = await reviewedWithdrawal({ dual: true });
      await withdrawal.review('approve', 'ana');
      await withdrawal.review('refuse', 'bob');
      await withdrawal.expectOutcome({
        status: 'rejected',
        version: 2,
        events: ['withdrawal.under_review@1', 'withdrawal.rejected@2'],
      });
    });

    it('under_review → rejected: whoever approved first may still refuse', async () => {
      const withdrawal = await reviewedWithdrawal({ dual: true });
      await withdrawal.review('approve', 'ana');
      assert.deepEqual(await withdrawal.review('refuse', 'ana'), { kind: 'done', withdrawal: withdrawal.row });
      await withdrawal.expectOutcome({
        status: 'rejected',
        version: 2,
        events: ['withdrawal.under_review@1', 'withdrawal.rejected@2'],
      });
    });

    it('under_review → cancelled: the money is released', async () => {
      const withdrawal = await reviewedWithdrawal();
      await withdrawal.cancel();
      await withdrawal.expectOutcome({
        status: 'cancelled',
        version: 2,
        events: ['withdrawal.under_review@1', 'withdrawal.cancelled@2'],
      });
    });

    it('under_review waits for days', async () => {
      const withdrawal = await reviewedWithdrawal();
      await gateway.sleep(10 * 86_400);
      await withdrawal.expectOutcome({
        status: 'under_review',
        version: 1,
        events: ['withdrawal.under_review@1'],
        ledger: RESERVED,
      });
    });
  });

  describe('dispatch', () => {
    /** Time for the checks and the send, which take no time of their own. */
    const aMoment = () => gateway.sleep(1);

    it('approved → processing: only at the provider’s first reply, not when the send leaves', async () => {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.payout.sendGate.close();
      await withdrawal.create();
      await eventually(() => withdrawal.payout.sendGate.queue === 1, 'the send is on its way');
      await withdrawal.expectOutcome({ status: 'approved', version: 1, events: APPROVED, ledger: RESERVED });
      withdrawal.payout.sendGate.open();
      await withdrawal.expectOutcome({ status: 'processing', version: 2, events: PROCESSING, ledger: RESERVED });
      assert.equal(withdrawal.payout.sendsThatLeft, 1);
    });

    it('approved → cancelled: the cancel comes while lists and cash box are checked; nothing is sent', async () => {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.ruling.dispatchGate.close();
      await withdrawal.create();
      await eventually(() => withdrawal.ruling.dispatchGate.queue === 1, 'the checks are under way');
      assert.deepEqual(await withdrawal.cancel(), { kind: 'done', withdrawal: withdrawal.row });
      withdrawal.ruling.dispatchGate.open();
      await gateway.sleep(3600);
      await withdrawal.expectOutcome({
        status: 'cancelled',
        version: 2,
        events: [...APPROVED, 'withdrawal.cancelled@2'],
      });
      assert.equal(withdrawal.payout.sendGate.arrived, 0);
    });

    it('approved: a cancel after the send has left comes too late', async () => {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.payout.sendGate.close();
      await withdrawal.create();
      await eventually(() => withdrawal.payout.sendGate.queue === 1, 'the send is on its way');
      assert.deepEqual(await withdrawal.cancel(), { kind: 'invalid_state', withdrawal: withdrawal.row });
      withdrawal.payout.sendGate.open();
      await withdrawal.expectOutcome({ status: 'processing', version: 2, events: PROCESSING, ledger: RESERVED });
    });

    it('approved → cancelled: BLOCKLIST_HIT_AT_DISPATCH', async () => {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.ruling.dispatch.destinationBlocked = true;
      await withdrawal.create();
      await withdrawal.expectOutcome({
        status: 'cancelled',
        version: 2,
        events: [...APPROVED, 'withdrawal.cancelled@2'],
      });
      assert.deepEqual(withdrawal.row.decision.reasons, ['BLOCKLIST_HIT_AT_DISPATCH']);
      assert.equal(withdrawal.payout.sendsThatLeft, 0);
    });

    it('approved waits for the automatic hours, and is checked again when they open', async () => {
      const withdrawal = gateway.newWithdrawal();
      const opens = await gateway.now(2 * 3600);
      const closes = await gateway.now(6 * 3600);
      withdrawal.ruling.thresholds.timezone = 'UTC';
      withdrawal.ruling.thresholds.autoHours = { from: opens.slice(11, 16), to: closes.slice(11, 16) };
      await withdrawal.create();
      await gateway.sleepUntil(`${opens.slice(0, 16)}:00.000Z`, -2);
      await withdrawal.expectOutcome({ status: 'approved', version: 1, events: APPROVED, ledger: RESERVED });
      assert.deepEqual([...new Set(withdrawal.ruling.asked)], ['creation', 'dispatch']);
      await gateway.sleep(4);
      await withdrawal.expectOutcome({ status: 'processing', version: 2, events: PROCESSING, ledger: RESERVED });
    });

    it('approved waits for the automatic hours no longer than a newer rule set says', async () => {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.ruling.thresholds.timezone = 'UTC';
      withdrawal.ruling.thresholds.autoHours = {
        from: (await gateway.now(7_200)).slice(11, 16),
        to: (await gateway.now(9_000)).slice(11, 16),
      };
      await withdrawal.create();
      await eventually(() => withdrawal.ruling.asked.includes('dispatch'), 'the checks were made');
      withdrawal.ruling.thresholds.autoHours = null;
      await gateway.sleep(310);
      await withdrawal.expectOutcome({ status: 'processing', version: 2, events: PROCESSING, ledger: RESERVED });
    });

    it('approved → cancelled: while it waits for the automatic hours', async () => {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.ruling.thresholds.autoHours = { from: '03:00', to: '03:01' };
      withdrawal.ruling.thresholds.timezone = 'UTC';
      await withdrawal.create();
      await eventually(() => withdrawal.ruling.asked.includes('dispatch'), 'the checks were made');
      await withdrawal.cancel();
      await gateway.sleep(26 * 3600);
      await withdrawal.expectOutcome({
        status: 'cancelled',
        version: 2,
        events: [...APPROVED, 'withdrawal.cancelled@2'],
      });
      assert.equal(withdrawal.payout.sendsThatLeft, 0);
    });

    for (const { alert, what, arrange, repair, withinSeconds } of [
      {
        what: 'the cash box is short',
        alert: 'CASH_BOX_SHORT',
        withinSeconds: 901,
        arrange: ({ ruling }: WithdrawalCase) => void (ruling.dispatch.availableMinor = '-1'),
        repair: ({ ruling }: WithdrawalCase) => void (ruling.dispatch.availableMinor = '0'),
      },
      {
        what: 'the operation is suspended',
        alert: 'OPERATION_SUSPENDED',
        withinSeconds: 901,
        arrange: ({ ruling }: WithdrawalCase) => void (ruling.dispatch.operationSuspended = true),
        repair: ({ ruling }: WithdrawalCase) => void (ruling.dispatch.operationSuspended = false),
      },
      {
        what: 'the rules are down',
        alert: 'DISPATCH_CHECK_UNAVAILABLE',
        withinSeconds: 50,
        arrange: ({ ruling }: WithdrawalCase) => void ruling.down.add('dispatch'),
        repair: ({ ruling }: WithdrawalCase) => void ruling.down.clear(),
      },
      {
        what: 'the rules answer nonsense',
        alert: 'DISPATCH_CHECK_UNAVAILABLE',
        withinSeconds: 50,
        arrange: ({ ruling }: WithdrawalCase) =>
          void ruling.nonsense.set('dispatch', {
            kind: 'wait',
            for: 'automatic_hours',
            until: 'soon',
            ruleSetVersion: 7,
          }),
        repair: ({ ruling }: WithdrawalCase) => void ruling.nonsense.clear(),
      },
      {
        what: 'the environment guard refuses the send',
        alert: 'PAYOUT_ENVIRONMENT_GUARD',
        withinSeconds: 901,
        arrange: ({ payout }: WithdrawalCase) =>
          void payout.sendAnswers.push(...Array.from({ length: 500 }, () => ({ kind: 'guarded' }) as const)),
        repair: ({ payout }: WithdrawalCase) => void payout.sendAnswers.splice(0),
      },
      {
        what: 'the provider cannot be reached',
        alert: 'PROVIDER_UNREACHABLE',
        withinSeconds: 50,
        arrange: ({ payout }: WithdrawalCase) =>
          void payout.sendAnswers.push(
            ...Array.from({ length: 500 }, () => ({ kind: 'not_sent', reason: 'ECONNREFUSED' }) as const),
          ),
        repair: ({ payout }: WithdrawalCase) => void payout.sendAnswers.splice(0),
      },
    ] as const) {
      it(`approved stays: ${what}; operations staff are told, and it goes on by itself within ${withinSeconds} s and is sent once`, async () => {
        const withdrawal = gateway.newWithdrawal();
        arrange(withdrawal);
        await withdrawal.create();
        await gateway.sleep(3600);
        await withdrawal.expectOutcome({
          status: 'approved',
          version: 1,
          events: APPROVED,
          ledger: RESERVED,
          alerts: [alert],
        });
        assert.equal(withdrawal.payout.sendsThatLeft, 0);
        repair(withdrawal);
        await gateway.sleep(withinSeconds);
        await withdrawal.expectOutcome({ status: 'processing', version: 2, events: PROCESSING, ledger: RESERVED });
        await gateway.sleep(3600);
        assert.equal(withdrawal.payout.sendsThatLeft, 1);
      });
    }

    it('approved → cancelled: nothing could be sent yet, so a cancel still counts', async () => {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.payout.sendAnswers.push({ kind: 'not_sent', reason: 'ECONNREFUSED' });
      await withdrawal.create();
      await eventually(
        () => withdrawal.database.alerts.some(({ objectId }) => objectId === withdrawal.id),
        'the send was refused',
      );
      await withdrawal.cancel();
      await gateway.sleep(3600);
      await withdrawal.expectOutcome({
        status: 'cancelled',
        version: 2,
        events: [...APPROVED, 'withdrawal.cancelled@2'],
      });
      assert.equal(withdrawal.payout.sendsThatLeft, 0);
    });

    for (const answer of ['times_out_accepted', 'worker_dies_accepted'] as const) {
      it(`approved → processing: the send’s outcome is unknown (${answer}), and a look-up finds it; never sent twice`, async () => {
        const withdrawal = gateway.newWithdrawal();
        withdrawal.payout.sendAnswers.push(answer);
        await withdrawal.create();
        await aMoment();
        await withdrawal.expectOutcome({ status: 'approved', version: 1, events: APPROVED, ledger: RESERVED });
        const late = await withdrawal.cancel();
        assert.equal(late !== 'closed' && late.kind, 'invalid_state');
        await gateway.sleep(3);
        await withdrawal.expectOutcome({ status: 'processing', version: 2, events: PROCESSING, ledger: RESERVED });
        assert.equal(withdrawal.payout.sendsThatLeft, 1);
      });
    }

    it('approved stays for two days: no trace of an unknown send; it is looked up, never sent again, and followed when it appears', async () => {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.payout.sendAnswers.push('times_out_lost');
      await withdrawal.create();
      await gateway.sleep(2 * 86_400);
      await withdrawal.expectOutcome({
        status: 'approved',
        version: 1,
        events: APPROVED,
        ledger: RESERVED,
        alerts: ['PAYOUT_OUTCOME_UNKNOWN'],
      });
      assert.ok(withdrawal.payout.lookups > 48, `${withdrawal.payout.lookups} look-ups`);
      assert.equal(withdrawal.payout.sendGate.arrived, 1);
      withdrawal.payout.settle(await gateway.now());
      await gateway.sleep(3601);
      await withdrawal.expectOutcome({
        status: 'paid',
        version: 3,
        events: [...PROCESSING, 'withdrawal.paid@3'],
        ledger: GONE,
      });
      assert.equal(withdrawal.payout.sendGate.arrived, 1);
    });
  });

  describe('payout', () => {
    async function processingWithdrawal(): Promise<WithdrawalCase> {
      const withdrawal = gateway.newWithdrawal();
      await withdrawal.create();
      await eventually(() => withdrawal.row.status === 'processing', 'processing');
      return withdrawal;
    }

    async function untilClosed(withdrawal: WithdrawalCase): Promise<void> {
      await eventually(
        async () => (await withdrawal.handle.describe()).status.name === 'COMPLETED',
        'the workflow ended',
      );
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

    it('processing → paid: without any callback, by look-ups', async () => {
      const withdrawal = await processingWithdrawal();
      withdrawal.payout.settle(await gateway.now());
      await gateway.sleep(3);
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
      await untilClosed(withdrawal);
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
        await eventually(() => withdrawal.row.status === 'processing', 'processing');
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
        // The webhooks are held back, so that the workflow is open in its last state, too.
        withdrawal.inbox.gate.close();
        await recipes[status](withdrawal);
        const { row } = withdrawal;
        assert.equal(row.status, status);
        const movements = withdrawal.database.movements.length;
        for (const [trigger, act] of refused)
          assert.deepEqual(await act(withdrawal), { kind: 'invalid_state', withdrawal: row }, trigger);
        assert.deepEqual(withdrawal.row, row);
        assert.equal(withdrawal.database.movements.length, movements);
      });
    }

    it('cancelled: cancelled again is the same answer and no second event', async () => {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.inbox.gate.close();
      await recipes.cancelled(withdrawal);
      assert.deepEqual(await withdrawal.cancel(), { kind: 'done', withdrawal: withdrawal.row });
      await withdrawal.expectOutcome({
        status: 'cancelled',
        version: 2,
        events: ['withdrawal.under_review@1', 'withdrawal.cancelled@2'],
      });
    });
  });
});
