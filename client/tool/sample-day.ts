// A closed day with a payment of every end, to reconcile: made in the sandbox through its routes.
import { readReconciliationDay } from '../reconciliation.js';
import type { ToolContext } from './context.js';
import { eventOf, type Gateway, newPlayer, once, paidDeposit, reviewedDeposit } from './new-payments.js';
import { trigger, TRIGGERS } from './trigger.js';

/** Events whose payments would still wait for a person or a bank when the day is over. A pending deposit expires. */
const LEFT_OPEN: readonly string[] = [
  'deposit.under_review',
  'withdrawal.under_review',
  'withdrawal.approved',
  'withdrawal.processing',
];
const REVERSED_MINOR = '1500';
/** An answer comes after at most 20 s. */
const MOST_CLOSE_CALLS = 10;

/** Drives payments to every end, lets the operation's day end, and prints its totals. @returns the UTC day */
export async function sampleDay(context: ToolContext): Promise<string> {
  const { gateway, print } = context;
  const { body: before } = await gateway.sandbox.clock();
  // All of it lies in one day, however late it is.
  if (!before.frozen) await gateway.sandbox.setClock({ frozen: true }, once());
  try {
    const date = before.now.slice(0, 10);
    await trigger(
      context,
      Object.keys(TRIGGERS).filter((type) => !LEFT_OPEN.includes(type)),
    );
    await reverseInPart(context);
    await approveReview(context);
    await closeDay(gateway, date);
    const day = await readReconciliationDay(gateway, { date, currency: 'BRL' });
    print({ date, items: day.items.length, ...day.totals }, `✓ ${date} is closed: ${day.items.length} items`);
    return date;
  } finally {
    if (!before.frozen) await gateway.sandbox.setClock({ frozen: false }, once());
  }
}

async function reverseInPart({ gateway, print }: ToolContext): Promise<void> {
  const { id } = await paidDeposit(gateway, newPlayer());
  await eventOf(gateway, id, 'deposit.paid');
  const amount = { amount: REVERSED_MINOR, currency: 'BRL' };
  await gateway.sandbox.reverseDepositInPart(id, { kind: 'chargeback', amount }, once());
  print({ object_id: id }, `✓ a part of ${id} went back`);
}

async function approveReview({ gateway, print }: ToolContext): Promise<void> {
  const { id } = await reviewedDeposit(gateway);
  await gateway.sandbox.reviewDeposit(id, 'approve', once());
  const event = await eventOf(gateway, id, 'deposit.paid');
  print({ event_id: event, type: 'deposit.paid', object_id: id }, `✓ approved: deposit.paid  of ${id}`);
}

/** A provider or a receiver may still be answering what became due on the way. */
async function closeDay(gateway: Gateway, date: string): Promise<void> {
  for (let call = 1; ; call += 1) {
    const { body } = await gateway.sandbox.closeDay(date, once());
    if (body.reached) return;
    if (call === MOST_CLOSE_CALLS)
      throw new Error(`${date} is not closed after ${call} calls; pending: ${JSON.stringify(body.pending)}`);
  }
}
