// Temporal with workers that run the product's own steps over the command's database. The provider and the rules are
// doubles.
import { CLOCKS } from '../../../activities/payments/withdrawal/deadline.js';
import { createDepositStore, createWithdrawalStore } from '../../../activities/payments/rows.js';
import { createDepositSteps, createWithdrawalSteps } from '../../../activities/payments/index.js';
import type { Clock } from '../../../activities/intercepted.js';
import { offeredAt } from '../../support/intercepted.js';
import type { ChargeCalls } from '../../../activities/provider/charges.js';
import type { RulesEngine } from '../../../activities/rules.js';
import type { Database } from '../../../store/database.js';
import { FakeWorld } from '../../support/fake-activities.js';
import { startTimeSkippingTemporal, type TimeSkippingTemporal } from '../../support/temporal.js';
import { testSealer } from './support.js';
import type { PayoutCalls } from '../../../activities/provider/payouts.js';

interface Doubles {
  readonly charges?: Partial<ChargeCalls>;
  readonly calls?: Partial<PayoutCalls>;
  readonly rules?: Partial<RulesEngine>;
}

export async function startPaymentWorkers(database: Database, doubles: Doubles = {}): Promise<TimeSkippingTemporal> {
  const world = new FakeWorld();
  const others = world.activities();
  const rules = { ...world.rules.engine, ...doubles.rules };
  const sealer = testSealer;
  const raise = async () => undefined;
  const steps = {
    ...createDepositSteps({
      deposits: createDepositStore({ database, sealer }, raise),
      rules,
      charges: { ...world.provider.chargeCalls, ...doubles.charges },
      sealer,
      environment: 'sandbox',
    }),
    ...createWithdrawalSteps({
      withdrawals: createWithdrawalStore({ database, sealer }, raise),
      rules: rules,
      payouts: { ...world.provider.payoutCalls, ...doubles.calls },
      sealer,
      environment: 'sandbox',
      clocks: CLOCKS,
    }),
  };
  let temporal: TimeSkippingTemporal | null = null;
  const clock: Clock = () => temporal?.nowMs() ?? Date.now();
  temporal = await startTimeSkippingTemporal({
    payments: { ...others.payments, ...offeredAt(clock, steps), raiseAlert: raise },
    providers: { ...others.providers, ...offeredAt(clock, steps) },
    rules: offeredAt(clock, steps),
    webhooks: {
      awaitsAttempt: async () => ({ isAwaited: true, nextAt: null, clock: null }),
      deliverEvent: async () => ({ kind: 'delivered', status: 200 }),
      endExhausted: async () => undefined,
    },
  });
  return temporal;
}
