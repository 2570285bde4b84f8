// When a deposit expires: its step compares the deadline with the clock, no matter who asks for it.
import assert from 'node:assert/strict';
import { CLOCKS_DIFFER_MS } from '../../../activities/forged.js';
import { createDepositSteps } from '../../../activities/payments/index.js';
import type { DepositOrder } from '../../../contract/temporal/payment.js';
import { expiryOf } from '../../../domain/payments/deposit.js';
import { AT, depositOrder } from '../../../lab/harness/deposit-fixtures.js';
import { FakeWorld } from '../../support/fake-activities.js';

describe('the expiry of a deposit', () => {
  const world = new FakeWorld();
  const stepsIn = (environment: DepositOrder['environment']) =>
    createDepositSteps({
      deposits: world.database.deposits,
      rules: world.rules.engine,
      charges: world.provider.chargeCalls,
      sealer: world.sealer,
      environment,
    });

  /** A pending deposit, and a reference to it so many milliseconds after its deadline. */
  async function pending(environment: DepositOrder['environment']) {
    const steps = stepsIn(environment);
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
