// A deposit's provider is asked for a charge only while that is permitted: by the insertion, or by a question of its
// own.
import assert from 'node:assert/strict';
import { createDepositSteps } from '../../../activities/payments/index.js';
import type { DepositOrder } from '../../../contract/temporal/payment.js';
import { AT, depositOrder } from '../../../lab/harness/deposit-fixtures.js';
import { FakeWorld } from '../../support/fake-activities.js';

describe('the permission to charge', () => {
  let world: FakeWorld;
  let order: DepositOrder;
  beforeEach(() => {
    world = new FakeWorld();
    order = depositOrder({ sealer: world.sealer, operationId: 'op_1' });
  });

  const steps = (environment: 'sandbox' | 'production' = 'sandbox') =>
    createDepositSteps({
      deposits: world.database.deposits,
      rules: world.rules.engine,
      charges: world.provider.chargeCalls,
      sealer: world.sealer,
      environment,
    });
  const open = (environment?: 'production') => steps(environment).openDeposit({ order, at: AT, chargeWithinMs: 5_000 });
  const createCharge = () => {
    const { id, operationId, provider } = order;
    return steps().createCharge({ id, operationId, provider, seenVersion: 0, at: AT });
  };
  const charge = () => world.provider.charge(order.id);
  const status = () => world.database.deposits.row(order.id)?.record.snapshot.status;
  const alerts = () => world.database.alerts.map(({ kind, occasion }) => [kind, occasion]);

  it('a process of another environment inserts and charges nothing', async () => {
    assert.deepEqual(await open('production'), { kind: 'undecided' });
    assert.deepEqual([status(), charge().creationAttempts], [undefined, 0]);
  });

  it('a repeat that finds the row asks for the charge only if that is permitted now', async () => {
    charge().creationAnswers.push('unknown');
    await open();
    assert.deepEqual([status(), charge().creationAttempts], ['created', 1]);
    world.database.deposits.refusals.set(order.id, 'provider_paused');
    assert.equal((await open()).kind, 'created');
    assert.deepEqual([status(), charge().creationAttempts], ['created', 1]);
    world.database.deposits.refusals.clear();
    await open();
    assert.deepEqual([status(), charge().creationAttempts], ['pending', 2]);
  });

  for (const [refusal, type, raised] of [
    ['changed', 'RowContended', []],
    ['provider_paused', 'ProviderInconclusive', []],
    ['other_amount', 'NotYet', [['NOT_IN_THE_BOOKS', 'charge other_amount']]],
  ] as const)
    it(`refused (${refusal}): nothing is asked, and a later try asks again`, async () => {
      charge().creationAnswers.push('unknown');
      await open();
      world.database.deposits.refusals.set(order.id, refusal);
      for (let tries = 0; tries < 2; tries += 1) await assert.rejects(createCharge(), { type });
      assert.deepEqual([status(), charge().creationAttempts, alerts()], ['created', 1, raised]);
      world.database.deposits.refusals.clear();
      await createCharge();
      assert.equal(status(), 'pending');
    });
});
