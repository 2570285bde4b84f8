// A refused order never becomes a payment: not with other facts, and not by somebody who starts a copy of it.
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDepositSteps } from '../../../activities/payments/index.js';
import type { DepositOrder } from '../../../contract/temporal/payment.js';
import { COPIED_ORDER } from '../../../contract/temporal/payment-steps.js';
import { openDepositRequest, sealedDepositOrder } from '../../../store/sealing/orders.js';
import { depositOrder } from '../../../lab/harness/deposit-fixtures.js';
import { FakeWorld } from '../../support/fake-activities.js';
import { refusalOf } from '../../support/vouched-creations.js';

describe('a refused order', () => {
  let world: FakeWorld;
  let order: DepositOrder;
  beforeEach(() => {
    world = new FakeWorld();
    order = depositOrder({ sealer: world.sealer, operationId: 'op_1' });
  });

  const open = (of = order) =>
    createDepositSteps({
      deposits: world.database.deposits,
      rules: world.rules.engine,
      charges: world.provider.chargeCalls,
      sealer: world.sealer,
      environment: 'sandbox',
    }).openDeposit({ order: of, at: '2026-11-21T12:00:00.000Z', chargeWithinMs: 5_000 });
  const ruling = () => world.rules.of(order.id);
  const row = () => world.database.deposits.row(order.id);

  it('stays refused: with other facts, and with an order that the api makes anew', async () => {
    ruling().deposit = { playerBlocked: true };
    assert.equal(refusalOf(await open()), 'player_blocked');
    ruling().deposit = {};
    assert.equal(refusalOf(await open()), 'player_blocked');
    const { sealedRequest: _, proof: __, ...asked } = order;
    const { player } = openDepositRequest(world.sealer, order);
    const anew = sealedDepositOrder(world.sealer, asked, { player }, Date.now() + 1);
    assert.equal(refusalOf(await open(anew)), 'player_blocked');
    assert.deepEqual([row(), world.database.alerts.length], [null, 0]);
  });

  it('a copy in another run → no payment, no refusal, an alert', async () => {
    ruling().deposit = { playerBlocked: true };
    const run = (runId: string) => new MockActivityEnvironment({ workflowExecution: { workflowId: 'w', runId } });
    assert.equal(refusalOf(await run('ours').run(() => open())), 'player_blocked');
    for (const playerBlocked of [true, false]) {
      ruling().deposit = { playerBlocked };
      const copied = run('theirs').run(() => open());
      await assert.rejects(
        copied,
        (error) => error instanceof ApplicationFailure && error.type === COPIED_ORDER && error.nonRetryable === true,
      );
    }
    assert.equal(row(), null);
    assert.deepEqual([...new Set(world.database.alerts.map(({ kind }) => kind))], ['UNPROVEN_ORDER']);
    // A retry of the step in our own run gets the same answer.
    assert.equal(refusalOf(await run('ours').run(() => open())), 'player_blocked');
  });
});
