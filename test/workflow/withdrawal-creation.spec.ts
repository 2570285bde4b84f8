// What time, a silent directory and facts that change meanwhile do to a new withdrawal.
import assert from 'node:assert/strict';
import { ENGINE_DEFAULTS } from '../../domain/rules/thresholds.js';
import type { RiskFacts } from '../../domain/rules/risk-rules.js';
import type { WithdrawalCase } from './harness/withdrawal-case.js';
import { useGateway } from './harness/gateway.js';

const NONE = { amountMinor: 0n, count: 0 };
const NO_RISK: RiskFacts = {
  windows: { d7: NONE, d30: NONE },
  withdrawals: [],
  requestedAt: [],
  destinations30d: 1,
  deposits: [],
  payers30d: 1,
  playersOfPayers: 1,
  vipTier: null,
  automatic: { hourMinor: 0n, dayMinor: 0n },
  netGamingResult: 'unreported',
};
const RESERVED = { available: -3000, pending_out: 3000 };

describe('withdrawal: how it comes to be', () => {
  const gateway = useGateway();

  describe('creation', () => {
    /** A withdrawal that is not sent before the test lets it. */
    function heldWithdrawal(settings: Parameters<typeof gateway.newWithdrawal>[0] = {}): WithdrawalCase {
      const withdrawal = gateway.newWithdrawal(settings);
      withdrawal.ruling.dispatchGate.close();
      return withdrawal;
    }

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

    it('(new) → approved: DICT names the player, and the look-up’s reference goes into the send', async () => {
      const withdrawal = gateway.newWithdrawal({ keyInDirectory: true });
      await withdrawal.create();
      await withdrawal.expectOutcome({
        status: 'processing',
        version: 2,
        events: ['withdrawal.approved@1', 'withdrawal.processing@2'],
        ledger: RESERVED,
      });
      assert.equal(withdrawal.payout.keyOwnerLookups, 1);
      assert.equal(withdrawal.payout.sentWithEndToEndId, 'E-lookup');
    });

    it('(new): facts that changed since the decision are decided again', async () => {
      const withdrawal = heldWithdrawal();
      let changes = 0;
      withdrawal.ruling.afterVerdict = () => {
        changes += 1;
        if (changes > 1) return;
        withdrawal.database.touchPlayer(withdrawal.order);
        withdrawal.ruling.withdrawal.settledDepositCount = 0;
      };
      await withdrawal.create();
      assert.deepEqual(withdrawal.ruling.asked, ['creation', 'creation']);
      assert.deepEqual(withdrawal.row.decision.reasons, ['NO_SETTLED_DEPOSIT']);
      await withdrawal.expectOutcome({
        status: 'under_review',
        version: 1,
        events: ['withdrawal.under_review@1'],
        ledger: RESERVED,
      });
    });

    it('(new) → requested: DICT does not answer, also where the facts had changed in between', async () => {
      const withdrawal = gateway.newWithdrawal({ keyInDirectory: true });
      withdrawal.payout.keyOwner = 'unavailable';
      let changes = 0;
      withdrawal.ruling.afterVerdict = () => {
        changes += 1;
        if (changes === 1) withdrawal.database.touchPlayer(withdrawal.order);
      };
      await withdrawal.create();
      await withdrawal.expectOutcome({ status: 'requested', version: 1, events: [], ledger: RESERVED });
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

    for (const silence of ['unavailable', 'no_answer'] as const) {
      it(`requested → under_review: DICT_UNAVAILABLE after 5 minutes and exactly 10 look-ups (${silence})`, async () => {
        const withdrawal = await requestedWithdrawal();
        withdrawal.payout.keyOwner = silence;
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
    }

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

    it('requested → under_review: the operation’s automatic cap was used up between the decision and the row', async () => {
      const withdrawal = await requestedWithdrawal();
      withdrawal.payout.keyOwner = 'match';
      withdrawal.database.capReached.add(withdrawal.id);
      withdrawal.ruling.afterVerdict = () => {
        // The next decision sees what was used in between.
        withdrawal.ruling.thresholds.engine = {
          ...ENGINE_DEFAULTS,
          operationAutoCap: { perHourMinor: 0n, perDayMinor: null },
        };
        withdrawal.ruling.withdrawal.risk = NO_RISK;
      };
      await gateway.sleep(3);
      await withdrawal.expectOutcome({
        status: 'under_review',
        version: 2,
        events: ['withdrawal.under_review@2'],
        ledger: RESERVED,
      });
      assert.deepEqual(withdrawal.row.decision.reasons, ['OPERATION_AUTO_CAP_EXCEEDED']);
      assert.deepEqual(withdrawal.ruling.asked, ['creation', 'dict', 'dict']);
      assert.equal(withdrawal.payout.keyOwnerLookups, 2, 'the directory is not asked again');
    });
  });
});
