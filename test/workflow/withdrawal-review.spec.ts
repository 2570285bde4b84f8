// Review: who may approve or refuse a withdrawal, how often, and what becomes of the money.
import assert from 'node:assert/strict';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { reviewWithdrawal, type WithdrawalReview } from '../../contract/temporal/payment.js';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';
import type { WithdrawalCase } from './harness/withdrawal-case.js';

const RESERVED = { available: -3000, pending_out: 3000 };

describe('withdrawal: review', () => {
  const gateway = useGateway();

  async function reviewedWithdrawal({ dual = false } = {}): Promise<WithdrawalCase> {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.ruling.dispatchGate.close();
    if (dual) withdrawal.ruling.thresholds.dualApprovalAboveMinor = 1000n;
    else withdrawal.ruling.withdrawal.reviewRequested = true;
    await withdrawal.create();
    return withdrawal;
  }

  it('under_review: a decision without an act is refused, and the next one counts', async () => {
    const withdrawal = await reviewedWithdrawal();
    await assert.rejects(
      withdrawal.handle.executeUpdate(reviewWithdrawal, { args: [{ decision: 'approve' } as WithdrawalReview] }),
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

  describe('the rules were away at creation, and need the holder of the key', () => {
    /** Under review, with the rules back: the next thing is to judge it. */
    async function unjudged(): Promise<WithdrawalCase> {
      const withdrawal = gateway.newWithdrawal({ keyInDirectory: true });
      withdrawal.ruling.down.add('creation').add('review');
      const creation = withdrawal.create();
      await eventually(() => withdrawal.ruling.asked.length > 0, 'the rules are asked');
      await gateway.sleep(6);
      await creation;
      withdrawal.ruling.down.clear();
      return withdrawal;
    }
    const judgement = ({ id, database }: WithdrawalCase) => database.withdrawals.record(id)?.judgement;

    it('under_review: judged without the directory once the budget of five minutes is spent', async () => {
      const withdrawal = await unjudged();
      withdrawal.payout.keyOwner = 'unavailable';
      await gateway.sleep(240);
      assert.equal(judgement(withdrawal), 'none');
      await gateway.sleep(180);
      assert.equal(judgement(withdrawal), 'passed');
      assert.deepEqual(withdrawal.row.decision.reasons, ['RULES_UNAVAILABLE', 'DICT_UNAVAILABLE']);
      assert.equal(withdrawal.payout.keyOwnerLookups, 10);
    });

    it('under_review: an approval does not wait for a silent directory', async () => {
      const withdrawal = await unjudged();
      withdrawal.payout.keyOwner = 'unavailable';
      await gateway.sleep(20);
      assert.equal(judgement(withdrawal), 'none');
      const answer = await withdrawal.review('approve');
      assert.equal(answer !== 'closed' && answer.kind, 'done');
      assert.ok(withdrawal.row.decision.reasons.includes('DICT_UNAVAILABLE'));
    });
  });
});
