// How a withdrawal comes to be: decided by the rules, the key's holder looked up, its money reserved; then the DICT
// check.
import assert from 'node:assert/strict';
import { ENGINE_DEFAULTS } from '../../domain/rules/engine-thresholds.js';
import type { RiskFacts } from '../../domain/rules/risk-rules.js';
import type { WithdrawalCase } from './harness/withdrawal-case.js';
import { useGateway } from './harness/gateway.js';
import { createdOf, refusalOf } from '../support/vouched-creations.js';

const NONE = { amountMinor: '0', count: 0 };
const NO_RISK: RiskFacts = {
  windows: { d7: NONE, d30: NONE },
  withdrawals: [],
  requestedAt: [],
  destinations30d: 1,
  deposits: [],
  payers30d: 1,
  playersOfPayers: 1,
  vipTier: null,
  automatic: { hourMinor: '0', dayMinor: '0' },
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

    it('(new) → approved: the rules say automatic; born at version 1 with its event, its money reserved', async () => {
      const withdrawal = heldWithdrawal();
      assert.deepEqual(createdOf(await withdrawal.create()), withdrawal.row);
      const { mode, reasons, ruleSetVersion, decidedBy, decidedAt } = withdrawal.row.decision;
      assert.deepEqual(
        { mode, reasons, ruleSetVersion, decidedBy, decidedAt },
        { mode: 'automatic', reasons: [], ruleSetVersion: 7, decidedBy: [], decidedAt: withdrawal.row.createdAt },
      );
      await withdrawal.expectOutcome({
        status: 'approved',
        version: 1,
        events: ['withdrawal.approved@1'],
        ledger: RESERVED,
      });
      assert.equal(withdrawal.payout.keyOwnerLookups, 0);
    });

    for (const { title, reason, arrange } of [
      {
        title: 'the rules say manual',
        reason: 'NO_SETTLED_DEPOSIT',
        arrange: ({ ruling }: WithdrawalCase) => void (ruling.withdrawal.settledDepositCount = 0),
      },
      {
        title: 'no player.ip',
        reason: 'OWNERSHIP_UNVERIFIED',
        arrange: ({ ruling }: WithdrawalCase) => void (ruling.withdrawal.hasPlayerIp = false),
      },
      {
        title: 'review_requested',
        reason: 'OPERATOR_REVIEW_REQUESTED',
        arrange: ({ ruling }: WithdrawalCase) => void (ruling.withdrawal.reviewRequested = true),
      },
      {
        title: 'the rules answer nonsense',
        reason: 'RULES_INVALID_RESPONSE',
        arrange: ({ ruling }: WithdrawalCase) =>
          void ruling.nonsense.set('creation', { kind: 'automatic', reasons: ['FIRST_WITHDRAWAL'], ruleSetVersion: 7 }),
      },
    ]) {
      it(`(new) → under_review: ${title}`, async () => {
        const withdrawal = gateway.newWithdrawal();
        arrange(withdrawal);
        await withdrawal.create();
        const { mode, reasons, decidedAt } = withdrawal.row.decision;
        assert.deepEqual({ mode, reasons, decidedAt }, { mode: 'manual', reasons: [reason], decidedAt: null });
        await withdrawal.expectOutcome({
          status: 'under_review',
          version: 1,
          events: ['withdrawal.under_review@1'],
          ledger: RESERVED,
        });
      });
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

    it('(new) refused: the rules block it; no object, no money moved', async () => {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.ruling.withdrawal.destinationBlocked = true;
      assert.equal(refusalOf(await withdrawal.create()), 'destination_blocked');
      assert.equal(withdrawal.database.withdrawal(withdrawal.id), null);
      assert.equal(withdrawal.database.balance(withdrawal.order.operationId, 'available'), 100_000n);
    });

    it('(new) refused: DICT names another holder before the answer', async () => {
      const withdrawal = gateway.newWithdrawal({ keyInDirectory: true });
      withdrawal.payout.keyOwner = 'mismatch';
      assert.equal(refusalOf(await withdrawal.create()), 'document_mismatch');
      assert.equal(withdrawal.database.withdrawal(withdrawal.id), null);
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

    it('(new) → under_review: DICT knows no such key', async () => {
      const withdrawal = gateway.newWithdrawal({ keyInDirectory: true });
      withdrawal.payout.keyOwner = 'no_such_key';
      await withdrawal.create();
      assert.deepEqual(withdrawal.row.decision.reasons, ['OWNERSHIP_UNVERIFIED']);
      assert.equal(withdrawal.payout.keyOwnerLookups, 1);
    });

    it('(new) duplicate: the external_id is another withdrawal’s', async () => {
      const first = heldWithdrawal();
      await first.create();
      const { operationId, externalId } = first.order;
      const second = gateway.newWithdrawal({ operationId, externalId, fundsMinor: null });
      assert.deepEqual(await second.create(), { kind: 'duplicate', existingId: first.id });
      assert.equal(second.database.balance(operationId, 'pending_out'), 3000n);
    });

    it('(new) refused: the cash box does not cover it', async () => {
      const withdrawal = gateway.newWithdrawal({ fundsMinor: 2999n });
      assert.equal(refusalOf(await withdrawal.create()), 'insufficient_operation_balance');
    });

    it('(new) approved once: two at the same time do not spend the same money', async () => {
      const first = heldWithdrawal({ fundsMinor: 5000n });
      const second = heldWithdrawal({ operationId: first.order.operationId, fundsMinor: null, playerRef: 'player-2' });
      for (const one of [first, second]) one.ruling.withdrawal.availableMinor = '5000';
      const answers = await Promise.all([first.create(), second.create()]);
      assert.deepEqual(answers.map(({ kind }) => kind).sort(), ['created', 'refused']);
      assert.equal(first.database.balance(first.order.operationId, 'available'), 2000n);
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

    it('(new) → under_review: facts that never stop changing go to people', async () => {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.ruling.afterVerdict = () => withdrawal.database.touchPlayer(withdrawal.order);
      await withdrawal.create();
      assert.equal(withdrawal.ruling.asked.length, 6);
      assert.deepEqual(withdrawal.row.decision.reasons, ['VELOCITY_WITHDRAWALS'], 'that is no outage of the rules');
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

    it('(new) → requested: DICT does not answer; no event, nothing decided', async () => {
      const withdrawal = await requestedWithdrawal();
      const { mode, reasons, decidedAt } = withdrawal.row.decision;
      assert.deepEqual({ mode, reasons, decidedAt }, { mode: 'manual', reasons: [], decidedAt: null });
      await withdrawal.expectOutcome({ status: 'requested', version: 1, events: [], ledger: RESERVED });
    });

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
          operationAutoCap: { perHourMinor: '0', perDayMinor: null },
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

    it('requested → under_review: decided again and again, as the cap is always used up meanwhile', async () => {
      const withdrawal = await requestedWithdrawal();
      withdrawal.payout.keyOwner = 'match';
      withdrawal.database.capReached.add(withdrawal.id);
      await gateway.sleep(3);
      await withdrawal.expectOutcome({
        status: 'under_review',
        version: 2,
        events: ['withdrawal.under_review@2'],
        ledger: RESERVED,
      });
      assert.ok(withdrawal.ruling.asked.filter((question) => question === 'dict').length > 2, 'decided again');
      await withdrawal.cancel();
      await withdrawal.expectOutcome({
        status: 'cancelled',
        version: 3,
        events: ['withdrawal.under_review@2', 'withdrawal.cancelled@3'],
      });
    });

    it('requested → rejected: DICT names another holder, and the money is released', async () => {
      const withdrawal = await requestedWithdrawal();
      withdrawal.payout.keyOwner = 'mismatch';
      await gateway.sleep(3);
      await withdrawal.expectOutcome({ status: 'rejected', version: 2, events: ['withdrawal.rejected@2'] });
      assert.deepEqual(withdrawal.row.decision.reasons, ['DOCUMENT_MISMATCH']);
    });

    it('requested → rejected: the player came onto a block list meanwhile', async () => {
      const withdrawal = await requestedWithdrawal();
      withdrawal.ruling.withdrawal.playerBlocked = true;
      withdrawal.payout.keyOwner = 'match';
      await gateway.sleep(3);
      await withdrawal.expectOutcome({ status: 'rejected', version: 2, events: ['withdrawal.rejected@2'] });
      assert.deepEqual(withdrawal.row.decision.reasons, ['PLAYER_BLOCKED']);
    });

    it('requested → under_review: the holder is right, the rules say manual', async () => {
      const withdrawal = await requestedWithdrawal();
      withdrawal.ruling.thresholds.firstWithdrawalManual = true;
      withdrawal.ruling.withdrawal.paidWithdrawalCount = 0;
      withdrawal.payout.keyOwner = 'match';
      await gateway.sleep(3);
      await withdrawal.expectOutcome({
        status: 'under_review',
        version: 2,
        events: ['withdrawal.under_review@2'],
        ledger: RESERVED,
      });
      assert.deepEqual(withdrawal.row.decision.reasons, ['FIRST_WITHDRAWAL']);
    });

    it('requested → under_review: DICT answers, but the rules are down', async () => {
      const withdrawal = await requestedWithdrawal();
      withdrawal.ruling.down.add('dict');
      withdrawal.payout.keyOwner = 'match';
      await gateway.sleep(10);
      await withdrawal.expectOutcome({
        status: 'under_review',
        version: 2,
        events: ['withdrawal.under_review@2'],
        ledger: RESERVED,
      });
      assert.deepEqual(withdrawal.row.decision.reasons, ['RULES_UNAVAILABLE']);
    });

    it('requested → cancelled: the money is released, and a later DICT answer changes nothing', async () => {
      const withdrawal = await requestedWithdrawal();
      withdrawal.payout.keyOwner = 'match';
      assert.deepEqual(await withdrawal.cancel(), { kind: 'done', withdrawal: withdrawal.row });
      await gateway.sleep(400);
      await withdrawal.expectOutcome({ status: 'cancelled', version: 2, events: ['withdrawal.cancelled@2'] });
      assert.equal(withdrawal.payout.sendsThatLeft, 0);
    });

    it('requested → cancelled: while the directory is being asked', async () => {
      const withdrawal = await requestedWithdrawal();
      withdrawal.payout.keyOwner = 'match';
      withdrawal.payout.keyOwnerGate.close();
      await gateway.sleep(2.5);
      const answer = await withdrawal.cancel();
      assert.equal(answer !== 'closed' && answer.kind, 'done');
      withdrawal.payout.keyOwnerGate.open();
      await gateway.sleep(60);
      await withdrawal.expectOutcome({ status: 'cancelled', version: 2, events: ['withdrawal.cancelled@2'] });
    });
  });
});
