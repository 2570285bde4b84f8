// Drives real payments of the sandbox to an event, through its routes: a new player and a new payment each time.
import type { ToolContext } from './context.js';
import {
  eventOf,
  type Gateway,
  newDeposit,
  newPlayer,
  newWithdrawal,
  once,
  paidDeposit,
  reviewedDeposit,
  withdrawalBy,
} from './new-payments.js';
import { UsageError } from './usage-error.js';

/** The simulated bank refuses a charge of this amount. */
const REFUSED_DEPOSIT_MINOR = '66603';

/** By event: what makes it; answers the payment's id. */
export const TRIGGERS: Readonly<Record<string, (gateway: Gateway) => Promise<string>>> = {
  'deposit.pending': async (gateway) => (await newDeposit(gateway)).id,
  'deposit.paid': async (gateway) => (await paidDeposit(gateway, newPlayer())).id,
  'deposit.under_review': async (gateway) => (await reviewedDeposit(gateway)).id,
  'deposit.returned': async (gateway) => {
    const { id } = await reviewedDeposit(gateway);
    await gateway.sandbox.reviewDeposit(id, 'return', once());
    return id;
  },
  'deposit.expired': async (gateway) => {
    const { id } = await newDeposit(gateway);
    await gateway.sandbox.expireDeposit(id, once());
    return id;
  },
  'deposit.cancelled': async (gateway) => {
    const { id } = await newDeposit(gateway);
    await gateway.cancelDeposit(id, once());
    return id;
  },
  'deposit.failed': async (gateway) => (await newDeposit(gateway, newPlayer(), REFUSED_DEPOSIT_MINOR)).id,
  'deposit.refunded': async (gateway) => {
    const { id } = await paidDeposit(gateway, newPlayer());
    await gateway.sandbox.refundDeposit(id, once());
    return id;
  },
  'deposit.chargeback': async (gateway) => {
    const { id } = await paidDeposit(gateway, newPlayer());
    await gateway.sandbox.chargebackDeposit(id, once());
    return id;
  },
  // The first withdrawal of a player is always reviewed.
  'withdrawal.under_review': async (gateway) => (await newWithdrawal(gateway)).id,
  'withdrawal.cancelled': async (gateway) => {
    const { id } = await newWithdrawal(gateway);
    await gateway.cancelWithdrawal(id, once());
    return id;
  },
  'withdrawal.rejected': (gateway) => withdrawalBy(gateway, 'reject'),
  'withdrawal.approved': (gateway) => withdrawalBy(gateway, 'approve'),
  'withdrawal.processing': (gateway) => withdrawalBy(gateway, 'approve'),
  'withdrawal.paid': (gateway) => withdrawalBy(gateway, 'approve', 'pay'),
  'withdrawal.failed': (gateway) => withdrawalBy(gateway, 'approve', 'fail'),
  'withdrawal.returned': async (gateway) => {
    const id = await withdrawalBy(gateway, 'approve', 'pay');
    await eventOf(gateway, id, 'withdrawal.paid');
    await gateway.sandbox.withdrawal(id, 'return', once());
    return id;
  },
};

/** Drives payments to these events, one after the other, and prints each event. */
export async function trigger({ gateway, print }: ToolContext, events: readonly string[]): Promise<void> {
  const unknown = events.filter((event) => !Object.hasOwn(TRIGGERS, event));
  if (events.length === 0 || unknown.length > 0)
    throw new UsageError(events.length === 0 ? 'trigger needs an event' : `cannot trigger ${unknown.join(', ')}`);
  for (const type of events) {
    const id = await TRIGGERS[type]!(gateway);
    const event = await eventOf(gateway, id, type);
    print({ event_id: event, type, object_id: id }, `✓ ${type.padEnd(24)} ${event}  of ${id}`);
  }
}
