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
import { DEPOSIT_WORKFLOW, WITHDRAWAL_WORKFLOW } from '../../../contract/temporal/payment.js';
import { TASK_QUEUES } from '../../../contract/temporal/workers.js';
import type { Actor } from '../../../store/staff/acts.js';
import { ensureClaimedPerson } from '../../../store/staff/people.js';
import { insertDeposit, insertWithdrawal } from './payments.js';
import { type TestGateway, testSealer } from './support.js';
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

/** Where payments of an operation wait for people: the rows, and the workflows that run on them. */
export interface Desk {
  readonly gateway: TestGateway;
  readonly temporal: TimeSkippingTemporal;
  readonly operationId: string;
}

/** A deposit under review, with its money held and its workflow running. @returns its id */
export async function heldDeposit(desk: Desk, reasons: readonly string[], paidAmount = '5000'): Promise<string> {
  const { gateway, operationId } = desk;
  const movements = ['deposit_held'] as const;
  const id = await insertDeposit(gateway, operationId, { status: 'under_review', paidAmount, reasons, movements });
  await gateway.rows(`UPDATE deposit SET end_to_end_id = 'E' || id, paid_at = now() WHERE id = $1`, id);
  await reopen(desk, DEPOSIT_WORKFLOW, id);
  return id;
}

/** A withdrawal under review, with its money reserved and its workflow running. @returns its id */
export async function heldWithdrawal(desk: Desk, reasons: readonly string[]): Promise<string> {
  const movements = ['withdrawal_reserved'] as const;
  const row = { status: 'under_review', reasons, movements };
  const id = await insertWithdrawal(desk.gateway, desk.operationId, row);
  await reopen(desk, WITHDRAWAL_WORKFLOW, id);
  return id;
}

/** Starts the workflow of a payment that is there. */
export async function reopen(
  { temporal, operationId }: Desk,
  workflow: string,
  id: string,
  taskQueue: string = TASK_QUEUES.payments,
): Promise<void> {
  await temporal.client.start(workflow, { workflowId: id, taskQueue, args: [{ kind: 'reopen', id, operationId }] });
}

/** Somebody of a sandbox, where a name is enough. */
export async function claimed(database: Database, name: string): Promise<Actor> {
  return { handle: await ensureClaimedPerson(database, name), means: 'claim', sessionId: null };
}
