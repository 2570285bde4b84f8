// What guards the steps of a deposit: the permission to charge, its deadline, the version that a person saw, a refusal
// that stays, and a payment that another deposit has.
import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { CLOCKS_DIFFER_MS } from '../../../activities/forged.js';
import { COPIED_ORDER } from '../../../contract/temporal/payment-steps.js';
import { expiryOf } from '../../../domain/payments/deposit.js';
import { depositOrder } from '../../../lab/harness/deposit-fixtures.js';
import { openDepositRequest, sealedDepositOrder } from '../../../store/sealing/orders.js';
import { refusalOf } from '../../support/vouched-creations.js';
import { AT, DepositWorld, LATER } from './deposit-world.js';

describe('what guards a deposit', () => {
  let world: DepositWorld;
  beforeEach(() => {
    world = new DepositWorld();
  });

  const open = (order = world.order, environment: 'sandbox' | 'production' = 'sandbox') =>
    world.step({ environment }).openDeposit({ order, at: AT, chargeWithinMs: 5_000 });
  const status = () => world.row()?.record.snapshot.status;
  const version = () => world.row()?.record.snapshot.version ?? 0;

  describe('the permission to charge', () => {
    const attempts = () => [status(), world.charge().creationAttempts];

    it('a process of another environment inserts and charges nothing', async () => {
      assert.deepEqual(await open(world.order, 'production'), { kind: 'undecided' });
      assert.deepEqual(attempts(), [undefined, 0]);
    });

    it('a repeat that finds the row asks for the charge once that is permitted', async () => {
      world.charge().creationAnswers.push('unknown');
      await open();
      await open();
      assert.deepEqual(attempts(), ['pending', 2]);
    });

    for (const [refusal, type, raised] of [
      ['changed', 'RowContended', []],
      ['provider_paused', 'ProviderInconclusive', []],
      ['other_amount', 'NotYet', [['NOT_IN_THE_BOOKS', 'charge other_amount']]],
    ] as const)
      it(`refused (${refusal}): nothing is asked, and a later try asks again`, async () => {
        world.charge().creationAnswers.push('unknown');
        await open();
        world.database.deposits.refusals.set(world.order.id, refusal);
        assert.equal((await open()).kind, 'created');
        for (const _ of [1, 2]) await assert.rejects(world.step().createCharge(world.ref()), { type });
        assert.deepEqual([attempts(), world.alerts()], [['created', 1], raised]);
        world.database.deposits.refusals.clear();
        await world.step().createCharge(world.ref());
        assert.deepEqual(attempts(), ['pending', 2]);
      });
  });

  describe('the expiry', () => {
    /** A pending deposit, and a reference to it so many milliseconds after its deadline. */
    async function pending(environment: 'sandbox' | 'production') {
      const steps = world.step({ environment });
      const order = depositOrder({ sealer: world.sealer, operationId: 'op_1' }, { environment });
      await steps.openDeposit({ order, at: AT, chargeWithinMs: 5_000 });
      const row = () => world.database.deposits.row(order.id)!.record.snapshot;
      const deadlineMs = Date.parse(expiryOf(row()));
      const after = (milliseconds: number) => {
        const at = new Date(deadlineMs + milliseconds).toISOString();
        return { id: order.id, operationId: 'op_1', seenVersion: 2, at };
      };
      return { steps, row, after };
    }

    for (const environment of ['sandbox', 'production'] as const)
      it(`${environment}: not before the deadline, but for clocks that differ by seconds`, async () => {
        const { steps, row, after } = await pending(environment);
        const early = steps.expireDeposit(after(-CLOCKS_DIFFER_MS - 1));
        await assert.rejects(early, { type: 'NotReached', nonRetryable: false });
        assert.equal(row().status, 'pending');
        assert.equal((await steps.expireDeposit(after(-CLOCKS_DIFFER_MS))).outcome, 'done');
        assert.equal(row().status, 'expired');
      });

    it('before the deadline: in the sandbox, never in production', async () => {
      const tested = await pending('sandbox');
      assert.equal((await tested.steps.expireDepositNow(tested.after(-60_000))).outcome, 'done');
      const real = await pending('production');
      const refused = real.steps.expireDepositNow(real.after(-60_000));
      await assert.rejects(refused, { type: 'ForgedStep', nonRetryable: true });
      assert.equal(real.row().status, 'pending');
    });
  });

  describe('a person’s cancel', () => {
    const act = (subjectVersion = version()) => {
      const about = { operationId: 'op_1', subjectId: world.order.id, subjectVersion };
      return world.database.acts.store({ ...about, kind: 'deposit.cancel', handle: 'ana' });
    };
    const cancel = (actId: string) => world.step().cancelDepositByStaff({ ...world.ref(2, AT), actId });

    it('is done once, and a repeat gets the same answer; operators see no person', async () => {
      await open();
      assert.equal((await cancel(act(1))).outcome, 'subject_changed');
      const [asked, late] = [act(), act(3)];
      const cancelled = await cancel(asked);
      assert.deepEqual([cancelled.outcome, cancelled.state.snapshot.status], ['done', 'cancelled']);
      assert.deepEqual(world.row()?.record.snapshot.decidedBy, []);
      const again = await cancel(asked);
      assert.deepEqual([again.outcome, again.state.snapshot.version], ['done', cancelled.state.snapshot.version]);
      assert.equal((await cancel(late)).outcome, 'invalid_state');
    });

    it('a deposit that is paid between the reading and the writing stays paid', async () => {
      await open();
      world.charge().payments = [world.payment()];
      const { deposits } = world.database;
      const store = deposits.store.bind(deposits);
      deposits.store = async (write) => {
        deposits.store = store;
        await world.step().lookUpChargeBriefly(world.ref(2, AT));
        return store(write);
      };
      assert.equal((await cancel(act())).outcome, 'subject_changed');
      assert.equal(status(), 'paid');
    });
  });

  describe('a refused order', () => {
    const ruling = () => world.rules.of(world.order.id);

    it('stays refused: with other facts, and with an order that the api makes anew', async () => {
      ruling().deposit = { playerBlocked: true };
      assert.equal(refusalOf(await open()), 'player_blocked');
      ruling().deposit = {};
      assert.equal(refusalOf(await open()), 'player_blocked');
      const { sealedRequest: _, proof: __, ...asked } = world.order;
      const { player } = openDepositRequest(world.sealer, world.order);
      const anew = sealedDepositOrder(world.sealer, asked, { player }, Date.now() + 1);
      assert.equal(refusalOf(await open(anew)), 'player_blocked');
      assert.deepEqual([world.row(), world.alerts()], [null, []]);
    });

    it('a copy in another run → no payment, no refusal, an alert', async () => {
      ruling().deposit = { playerBlocked: true };
      const run = (runId: string) => new MockActivityEnvironment({ workflowExecution: { workflowId: 'w', runId } });
      assert.equal(refusalOf(await run('ours').run(() => open())), 'player_blocked');
      for (const playerBlocked of [true, false]) {
        ruling().deposit = { playerBlocked };
        const copied = run('theirs').run(() => open());
        await assert.rejects(copied, { type: COPIED_ORDER, nonRetryable: true });
      }
      assert.equal(world.row(), null);
      assert.deepEqual([...new Set(world.alerts().map(([kind]) => kind))], ['UNPROVEN_ORDER']);
      // A retry of the step in our own run gets the same answer.
      assert.equal(refusalOf(await run('ours').run(() => open())), 'player_blocked');
    });
  });

  it('a payment that another deposit has stays there: nothing is credited, and the alert names both', async () => {
    await open();
    const bank = { kind: 'received', bankId: 'E1', part: '', settledAt: LATER, saidBy: 'provider' } as const;
    const credit = { name: 'deposit_credited', amountMinor: 5000n, step: '3', bank } as const;
    const effects = { event: null, movements: [credit], alert: null, resolves: [] };
    world.database.applyEffects({ ...world.row()!.record.snapshot, id: 'dep_other' }, effects);
    world.charge().payments = [world.payment(), world.payment({ endToEndId: 'E2' })];
    for (const _ of [1, 2]) await world.step().lookUpChargeBriefly(world.ref(2));
    assert.deepEqual(
      [status(), world.row()?.record.snapshot.endToEndId, world.balance('available')],
      ['paid', 'E2', 10_000n],
      'its own payment still counts',
    );
    assert.deepEqual(world.alerts(), [['PAYMENT_CLAIMED_TWICE', 'E1']]);
    const [alert] = world.database.alerts;
    assert.ok(alert?.detail.includes('dep_other') && alert.detail.includes(world.order.id), alert?.detail);
  });
});
