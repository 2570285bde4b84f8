// The steps of a deposit over rows, rules and a provider in memory: what they store, what they answer, and that a
// repeat or a lost race changes nothing twice.
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import type { DepositStore } from '../../../activities/payments/deposit/ports.js';
import type { RulesEngine } from '../../../activities/rules.js';
import { NOT_AT_ONCE, RULES_ELSEWHERE } from '../../../contract/temporal/payment-steps.js';
import { ENGINE_DEFAULTS } from '../../../domain/rules/thresholds.js';
import { chargeReferenceOf } from '../../../domain/identifiers.js';
import { depositOrder } from '../../../lab/harness/deposit-fixtures.js';
import { MissingRowError } from '../../../store/errors.js';
import { refusalOf } from '../../support/vouched-creations.js';
import { AT, DepositWorld, LATER } from './deposit-world.js';

/** A limit that counts the player's history, so that the insertion compares the player's revision. */
const UNPAID_LIMIT = { ...ENGINE_DEFAULTS, depositUnpaid: { windowMinutes: 60, maxCount: 1_000 } };

describe('the steps of a deposit', () => {
  let world: DepositWorld;
  beforeEach(() => {
    world = new DepositWorld();
  });

  const open = (chargeWithinMs = 5_000, of = world.order) =>
    world.step().openDeposit({ order: of, at: AT, chargeWithinMs });
  const ruling = () => world.rules.of(world.order.id);
  const about = () => ({
    operationId: 'op_1',
    subjectId: world.order.id,
    subjectVersion: world.row()?.record.snapshot.version ?? 0,
  });
  const stored = (kind: 'deposit.approve' | 'deposit.return', id: string, handle: string, reason: string) =>
    world.database.acts.store({ ...about(), id, kind, handle, reason });
  const approval = (id: string, handle = 'ana', reason = 'checked') => stored('deposit.approve', id, handle, reason);
  const returning = (id: string, handle = 'ana', reason = 'checked') => stored('deposit.return', id, handle, reason);

  /** Under review, because the provider did not name the payer. */
  async function reviewed(): Promise<void> {
    await open();
    world.charge().payments = [world.payment({ payerMatch: 'unknown' })];
    await world.step().lookUpCharge({ ...world.ref(2), rules: 'asked' });
    assert.equal(world.row()?.record.snapshot.status, 'under_review');
  }

  /** Books in which something else happens to the row before each of the next writes. */
  function contested(times: number, meanwhile: () => Promise<unknown>): DepositStore {
    const deposits = world.database.deposits;
    let left = times;
    return {
      readAct: (id) => deposits.readAct(id),
      read: (deposit) => deposits.read(deposit),
      insert: (input) => deposits.insert(input),
      refuse: (refusal) => deposits.refuse(refusal),
      storeDecision: (decision) => deposits.storeDecision(decision),
      permitCharge: (kept, environment) => deposits.permitCharge(kept, environment),
      permitReturn: (kept) => deposits.permitReturn(kept),
      readConclusion: (actId) => deposits.readConclusion(actId),
      raiseAlert: (alert) => deposits.raiseAlert(alert),
      resolveAlerts: (deposit, kind) => deposits.resolveAlerts(deposit, kind),
      store: async (write) => {
        if (left > 0) {
          left -= 1;
          await meanwhile();
        }
        return deposits.store(write);
      },
    };
  }

  /** A note by another step: the revision rises, nothing else does. */
  const otherNote = async () => {
    const kept = world.row();
    assert.ok(kept);
    await world.database.deposits.store({ row: kept, change: { trigger: null }, at: LATER, decision: null });
  };

  const failsWith = (type: string, nonRetryable: boolean) => (error: unknown) =>
    error instanceof ApplicationFailure && error.type === type && (error.nonRetryable ?? false) === nonRetryable;

  describe('open', () => {
    it('leaves the charge to a later step when nobody waits for it', async () => {
      const opening = await open(0);
      assert.equal(opening.kind === 'created' && opening.state.snapshot.status, 'created');
      assert.equal(world.charge().creationAttempts, 0);
    });

    it('repeated, finds its own row, charges it, and answers the events that were stored', async () => {
      await open(0);
      const second = await open();
      const third = await open();
      assert.deepEqual(third, second);
      assert.equal(second.kind === 'created' && second.state.snapshot.status, 'pending');
      assert.deepEqual([world.charge().creationAttempts, world.database.events.length], [1, 1]);
    });

    it('repeated, continues with its own row whatever the rules say by then', async () => {
      await open(0);
      ruling().deposit = { playerBlocked: true };
      assert.equal((await open()).kind, 'created');
      ruling().down.add('creation');
      assert.equal((await open()).kind, 'created');
    });

    it('answers a refusal of the rules, another deposit’s external id, and another document', async () => {
      const blocked = depositOrder({ sealer: world.sealer, operationId: 'op_1' });
      world.rules.of(blocked.id).deposit = { playerBlocked: true };
      assert.equal(refusalOf(await open(0, blocked)), 'player_blocked');
      assert.equal(world.database.deposits.row(blocked.id), null);
      await open();
      const same = depositOrder({ sealer: world.sealer, operationId: 'op_1' }, { externalId: world.order.externalId });
      assert.deepEqual(await open(0, same), { kind: 'duplicate', existingId: world.order.id });
      const other = depositOrder({ sealer: world.sealer, operationId: 'op_1' }, { document: '11144477735' });
      assert.equal(refusalOf(await open(0, other)), 'document_mismatch');
    });

    it('decides again while the player’s facts change, and gives up after twenty decisions', async () => {
      ruling().thresholds.engine = UNPAID_LIMIT;
      let changes = 3;
      ruling().afterVerdict = () => {
        if (changes-- > 0) world.database.touchPlayer(world.order);
      };
      assert.equal((await open()).kind, 'created');
      assert.equal(ruling().asked.length, 4);
      const next = depositOrder({ sealer: world.sealer, operationId: 'op_1' });
      world.rules.of(next.id).thresholds.engine = UNPAID_LIMIT;
      world.rules.of(next.id).afterVerdict = () => world.database.touchPlayer(next);
      assert.deepEqual(await open(0, next), { kind: 'undecided' });
      assert.equal(world.rules.of(next.id).asked.length, 20);
    });

    it('fails without an answer of the rules, so that it is tried where they are served', async () => {
      const alone = world.step({ rules: null });
      await assert.rejects(
        alone.openDeposit({ order: world.order, at: AT, chargeWithinMs: 0 }),
        failsWith(RULES_ELSEWHERE, true),
      );
      ruling().down.add('creation');
      await assert.rejects(open(), failsWith('RulesDown', false));
      ruling().down.clear();
      ruling().nonsense.set('creation', { kind: 'perhaps' });
      await assert.rejects(open(), failsWith('RulesInvalidResponse', false));
      assert.equal(world.row(), null);
    });

    it('does not wait for slow rules', async () => {
      const slow: RulesEngine = { ...world.rules.engine, decideDeposit: () => new Promise(() => undefined) };
      const opening = world.step({ rules: slow }).openDeposit({ order: world.order, at: AT, chargeWithinMs: 0 });
      await assert.rejects(opening, failsWith(RULES_ELSEWHERE, true));
    });
  });

  describe('examine', () => {
    it('answers at once or not at all', async () => {
      await open();
      world.charge().isSilent = true;
      await assert.rejects(world.step().lookUpChargeBriefly(world.ref(2)), failsWith(NOT_AT_ONCE, true));
      await assert.rejects(
        world.step().lookUpCharge({ ...world.ref(2), rules: 'asked' }),
        failsWith('ProviderInconclusive', false),
      );
    });

    it('needs the rules for a payment of a pending deposit only, and stores nothing of it without them', async () => {
      await open();
      const alone = world.step({ rules: null });
      assert.equal((await alone.lookUpChargeBriefly(world.ref(2))).outcome, 'looked_up');
      world.charge().payments = [world.payment()];
      await assert.rejects(alone.lookUpChargeBriefly(world.ref(2)), failsWith(RULES_ELSEWHERE, true));
      const asked = await alone.lookUpCharge({ ...world.ref(2), rules: 'asked' });
      assert.deepEqual(
        [asked.outcome, asked.state.snapshot.status, world.row()?.record.revision],
        ['needs_rules', 'pending', 2],
      );
      ruling().down.add('payment');
      assert.equal((await world.step().lookUpCharge({ ...world.ref(2), rules: 'asked' })).outcome, 'needs_rules');
      await world.step().cancelDeposit(world.ref(2));
      assert.equal((await alone.lookUpChargeBriefly(world.ref(3))).outcome, 'looked_up');
      assert.deepEqual(world.alerts(), [['LATE_PAYMENT', 'E1']]);
    });

    it('holds a payment for review when the rules are silent, with what contradicts it', async () => {
      await open();
      world.charge().payments = [world.payment({ payerMatch: 'mismatch', amountMinor: 4000n })];
      const examined = await world.step({ rules: null }).lookUpCharge({ ...world.ref(2), rules: 'silent' });
      assert.deepEqual(examined.state.snapshot.reviewReasons, [
        'PAYER_MISMATCH',
        'AMOUNT_MISMATCH',
        'RULES_UNAVAILABLE',
      ]);
      assert.equal(world.balance('pending_in'), 4_000n);
    });

    it('holds it when the rules answer nonsense', async () => {
      await open();
      world.charge().payments = [world.payment({ payerMatch: 'unknown' })];
      ruling().nonsense.set('payment', { kind: 'credit' });
      const examined = await world.step().lookUpChargeBriefly(world.ref(2));
      assert.deepEqual(examined.state.snapshot.reviewReasons, ['PAYER_UNKNOWN', 'RULES_INVALID_RESPONSE']);
    });

    it('fails for a retry when the row keeps changing', async () => {
      await open();
      world.charge().payments = [world.payment()];
      await assert.rejects(
        world.step({ deposits: contested(5, otherNote) }).lookUpChargeBriefly(world.ref(2)),
        failsWith('RowContended', false),
      );
      const examined = await world.step({ deposits: contested(4, otherNote) }).lookUpChargeBriefly(world.ref(2));
      assert.equal(examined.state.snapshot.status, 'paid');
      assert.equal(world.balance('available'), 5_000n);
    });
  });

  describe('acts', () => {
    it('approve: credits, names the person in the row only, and is done when repeated', async () => {
      await reviewed();
      const approved = await world.step().approveDeposit({ ...world.ref(3), actId: approval('act-1') });
      assert.deepEqual([approved.outcome, approved.state.snapshot.status], ['done', 'paid']);
      assert.deepEqual(approved.state.snapshot.decidedBy, []);
      assert.deepEqual(world.row()?.record.snapshot.decidedBy, [
        { actId: 'act-1', person: 'ana', decision: 'approve', reason: 'checked', at: LATER },
      ]);
      const again = await world.step().approveDeposit({ ...world.ref(3), actId: approval('act-1') });
      assert.equal(again.outcome, 'done');
      assert.equal(world.published().at(-1), 'deposit.paid');
      assert.equal(
        (await world.step().approveDeposit({ ...world.ref(4), actId: approval('act-2') })).outcome,
        'invalid_state',
      );
      assert.equal(world.balance('available'), 5_000n);
    });

    it('are done for a stored act only: of this deposit and kind, unused, in time, by somebody who may', async () => {
      await reviewed();
      const { acts } = world.database;
      const given = { ...about(), kind: 'deposit.approve', handle: 'ana' } as const;
      const refusals = {
        unknown_act: 'act_none',
        other_subject: acts.store({ ...given, subjectId: 'dep_2' }),
        used_act: acts.store({ ...given, isUsed: true }),
        expired_act: acts.store({ ...given, isExpired: true }),
        not_permitted: acts.store({ ...given, isPermitted: false }),
        subject_changed: acts.store({ ...given, subjectVersion: 2 }),
      };
      for (const [refusal, actId] of Object.entries(refusals))
        assert.equal((await world.step().approveDeposit({ ...world.ref(3), actId })).outcome, refusal);
      assert.equal(
        (await world.step().requestReturn({ ...world.ref(3), actId: approval('act-1') })).outcome,
        'other_subject',
      );
      const claimed = acts.store({ ...given, isMeansEnough: false });
      assert.equal((await world.step().approveDeposit({ ...world.ref(3), actId: claimed })).outcome, 'not_permitted');
      assert.deepEqual([world.row()?.record.snapshot.status, world.row()?.record.revision], ['under_review', 3]);
    });

    it('cancel and expire by the state table', async () => {
      await open();
      assert.equal((await world.step().cancelDeposit(world.ref(2))).outcome, 'done');
      assert.equal((await world.step().cancelDeposit(world.ref(3))).outcome, 'done');
      assert.equal((await world.step().expireDeposit(world.ref(3))).outcome, 'invalid_state');
      assert.equal(world.database.events.length, 2);
    });

    it('load: what the process knows about the deposit', async () => {
      await open();
      const { context, state } = await world.step().loadDeposit(world.ref(1));
      const { id, operationId } = world.order;
      assert.deepEqual(context, {
        id,
        operationId,
        operationName: 'acme',
        provider: 'simulator',
        amountMinor: 5000n,
        operatorReasons: 0,
      });
      assert.equal(state.snapshot.status, 'pending');
      await assert.rejects(
        world.step().loadDeposit({ ...world.ref(), id: 'dep_none' }),
        (error) => error instanceof MissingRowError && error.row === 'Deposit',
      );
    });
  });

  describe('a return to the payer', () => {
    const request = () =>
      world.step().requestReturn({ ...world.ref(3), actId: returning('act-1', 'ana', 'another payer') });

    it('refused: an alert, and another decision is possible', async () => {
      await reviewed();
      await request();
      world.charge().returnAnswers.push({ kind: 'refused', code: 'no_funds' });
      const refused = await world.step().followReturn(world.ref(3));
      assert.deepEqual([refused.outcome, refused.state.isReturning], ['refused', false]);
      assert.deepEqual(world.published(), ['deposit.pending', 'deposit.under_review']);
      assert.deepEqual(world.alerts(), [['RETURN_REFUSED', LATER]]);
      assert.equal((await world.step().followReturn(world.ref(3))).outcome, 'refused');
      assert.equal(world.charge().returns, 1);
      assert.equal(
        (await world.step().approveDeposit({ ...world.ref(3), actId: approval('act-2', 'ben') })).outcome,
        'done',
      );
    });

    it('seen by a look-up first: it is done, no matter who asks the provider afterwards', async () => {
      await reviewed();
      await request();
      const reference = chargeReferenceOf(world.order.id);
      const reversal = {
        kind: 'refund',
        amountMinor: 5000n,
        reference,
        state: 'done',
        at: '2026-11-21T15:00:00.000Z',
      } as const;
      world.charge().payments = [world.payment({ payerMatch: 'unknown', reversals: [reversal] })];
      const deposits = contested(1, () => world.step().lookUpChargeBriefly(world.ref(3)));
      const returned = await world.step({ deposits }).followReturn(world.ref(3));
      assert.deepEqual([returned.outcome, returned.state.snapshot.status], ['done', 'returned']);
      assert.deepEqual(
        world.row()?.record.snapshot.decidedBy.map(({ person }) => person),
        ['ana'],
      );
      assert.equal(world.database.events.filter(({ type }) => type === 'deposit.returned').length, 1);
    });
  });
});
