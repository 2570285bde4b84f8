// One PIX that a provider reports for two deposits.
import assert from 'node:assert/strict';
import { AT, DepositWorld, LATER } from './deposit-world.js';

describe('a payment that another deposit has', () => {
  let world: DepositWorld;
  beforeEach(() => {
    world = new DepositWorld();
  });

  it('leaves a payment to the deposit that has it: nothing is credited, and the alert names both', async () => {
    await world.step().openDeposit({ order: world.order, at: AT, chargeWithinMs: 5_000 });
    const bank = { kind: 'received', bankId: 'E1', part: '', settledAt: LATER, saidBy: 'provider' } as const;
    const credit = { name: 'deposit_credited', amountMinor: 5000n, step: '3', bank } as const;
    const effects = { event: null, movements: [credit], alert: null, resolves: [] };
    world.database.applyEffects({ ...world.row()!.record.snapshot, id: 'dep_other' }, effects);
    world.charge().payments = [world.payment(), world.payment({ endToEndId: 'E2' })];
    for (const _ of [1, 2]) await world.step().lookUpChargeBriefly(world.ref(2));
    assert.deepEqual(
      [world.row()?.record.snapshot.status, world.row()?.record.snapshot.endToEndId, world.balance('available')],
      ['paid', 'E2', 10_000n],
      'its own payment still counts',
    );
    assert.deepEqual(world.alerts(), [['PAYMENT_CLAIMED_TWICE', 'E1']]);
    const [alert] = world.database.alerts;
    assert.ok(alert?.detail.includes('dep_other') && alert.detail.includes(world.order.id), alert?.detail);
  });
});
