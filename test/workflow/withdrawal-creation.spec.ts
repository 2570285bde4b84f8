// What time, a silent directory and facts that change meanwhile do to a new withdrawal.
import assert from 'node:assert/strict';
import type { WithdrawalCase } from './harness/withdrawal-case.js';
import { useGateway } from './harness/gateway.js';

const RESERVED = { available: -3000, pending_out: 3000 };

describe('withdrawal: how it comes to be', () => {
  const gateway = useGateway();

  describe('creation', () => {
    it('(new) → under_review: the rules are down', async () => {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.ruling.down.add('creation');
      const creation = withdrawal.create();
      await gateway.sleep(6);
      await creation;
      assert.deepEqual(withdrawal.row.decision.reasons, ['RULES_UNAVAILABLE']);
      await withdrawal.expectOutcome({
        status: 'under_review',
        version: 1,
        events: ['withdrawal.under_review@1'],
        ledger: RESERVED,
      });
    });
  });

  describe('DICT check', () => {
    async function requestedWithdrawal(): Promise<WithdrawalCase> {
      const withdrawal = gateway.newWithdrawal({ keyInDirectory: true });
      withdrawal.ruling.dispatchGate.close();
      withdrawal.payout.keyOwner = 'unavailable';
      const creation = await withdrawal.create();
      assert.equal(creation.kind === 'created' && creation.snapshot.status, 'requested');
      return withdrawal;
    }

    it('requested → under_review: DICT_UNAVAILABLE after 5 minutes and exactly 10 look-ups', async () => {
      const withdrawal = await requestedWithdrawal();
      withdrawal.payout.keyOwner = 'no_answer';
      await gateway.sleepUntil(withdrawal.row.createdAt, 297);
      await withdrawal.expectOutcome({ status: 'requested', version: 1, events: [], ledger: RESERVED });
      // At 0, 2, 7, 17, 37, 77, 137, 197 and 257 s; the last at 300 s.
      assert.equal(withdrawal.payout.keyOwnerLookups, 9);
      await gateway.sleep(6);
      await withdrawal.expectOutcome({
        status: 'under_review',
        version: 2,
        events: ['withdrawal.under_review@2'],
        ledger: RESERVED,
      });
      assert.deepEqual(withdrawal.row.decision.reasons, ['DICT_UNAVAILABLE']);
      await gateway.sleep(3600);
      assert.equal(withdrawal.payout.keyOwnerLookups, 10);
    });

    it('requested → approved: DICT answers at the third try', async () => {
      const withdrawal = await requestedWithdrawal();
      withdrawal.payout.keyOwnerAnswers.push('unavailable', 'match');
      await gateway.sleep(9);
      await withdrawal.expectOutcome({
        status: 'approved',
        version: 2,
        events: ['withdrawal.approved@2'],
        ledger: RESERVED,
      });
      assert.equal(withdrawal.payout.keyOwnerLookups, 3);
      assert.equal(withdrawal.row.decision.mode, 'automatic');
      assert.notEqual(withdrawal.row.decision.decidedAt, null);
    });
  });
});
