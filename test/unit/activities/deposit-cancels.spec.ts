// A person's cancel of a deposit, over rows and provider in memory: it is done to the version that the person saw.
import assert from 'node:assert/strict';
import { createDepositSteps } from '../../../activities/payments/index.js';
import type { DepositSteps } from '../../../activities/payments/types.js';
import type { DepositOrder } from '../../../contract/temporal/payment.js';
import { depositOrder, paymentFinding } from '../../../lab/harness/deposit-fixtures.js';
import { FakeWorld } from '../../support/fake-activities.js';

const AT = '2026-11-21T12:00:00.000Z';

describe('a person’s cancel of a deposit', () => {
  let world: FakeWorld;
  let order: DepositOrder;
  let steps: DepositSteps;
  beforeEach(async () => {
    world = new FakeWorld();
    order = depositOrder({ sealer: world.sealer, operationId: 'op_1' });
    steps = createDepositSteps({
      deposits: world.database.deposits,
      rules: world.rules.engine,
      charges: world.provider.chargeCalls,
      sealer: world.sealer,
      environment: 'sandbox',
    });
    await steps.openDeposit({ order, at: AT, chargeWithinMs: 5_000 });
  });

  const ref = (seenVersion: number) => {
    const { id, operationId, provider } = order;
    return { id, operationId, seenVersion, at: AT, provider };
  };
  const stored = () => world.database.deposits.row(order.id)?.record.snapshot;
  const act = (subjectVersion = stored()?.version ?? 0, kind: 'deposit.cancel' | 'deposit.return' = 'deposit.cancel') =>
    world.database.acts.store({ kind, operationId: 'op_1', subjectId: order.id, subjectVersion, handle: 'ana' });
  const cancel = (actId: string) => steps.cancelDepositByStaff({ ...ref(2), actId });

  it('needs a stored act of the version that the person saw', async () => {
    assert.equal((await cancel('act_none')).outcome, 'unknown_act');
    assert.equal((await cancel(act(2, 'deposit.return'))).outcome, 'other_subject');
    assert.equal((await cancel(act(1))).outcome, 'subject_changed');
    assert.equal(stored()?.status, 'pending');
  });

  it('is done once, and a repeat gets the same answer; operators see no person', async () => {
    const [asked, late] = [act(), act(3)];
    const cancelled = await cancel(asked);
    assert.deepEqual([cancelled.outcome, cancelled.state.snapshot.status], ['done', 'cancelled']);
    assert.deepEqual(stored()?.decidedBy, []);
    const again = await cancel(asked);
    assert.deepEqual([again.outcome, again.state.snapshot.version], ['done', cancelled.state.snapshot.version]);
    assert.equal((await cancel(late)).outcome, 'invalid_state');
  });

  it('a deposit that is paid between the reading and the writing stays paid', async () => {
    world.provider.charge(order.id).payments = [paymentFinding(world.sealer, order)];
    const { deposits } = world.database;
    const store = deposits.store.bind(deposits);
    deposits.store = async (write) => {
      deposits.store = store;
      await steps.lookUpChargeBriefly(ref(2));
      return store(write);
    };
    assert.equal((await cancel(act())).outcome, 'subject_changed');
    assert.equal(stored()?.status, 'paid');
  });
});
