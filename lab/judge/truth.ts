// What operators are told of money has happened at the provider by then, and not only later.
import type { ToldState } from '../world/operator.js';
import type { BookedCharge, BookedPayout } from '../world/provider.js';
import { short } from '../world/story.js';
import { type Finding, hasLeft, returnedOf } from './evidence.js';

/** States that say that money has moved, or never will. */
const OF_MONEY: readonly string[] = ['paid', 'failed', 'returned', 'refunded', 'chargeback'];

/** Whether the state says so much of money that the provider's books must have it already. */
export const saysOfMoney = ({ kind, status }: ToldState): boolean =>
  OF_MONEY.includes(status) && !(kind === 'deposit' && status === 'failed');

/** Compares what was told with the provider's books of that moment, or of one soon after. */
export function judgeTold(
  { id, kind, status, by }: ToldState,
  { charge, payout }: { readonly charge?: BookedCharge; readonly payout?: BookedPayout },
): Finding[] {
  const find = (detail: string): Finding[] => [
    { rule: 'what operators are told of money has happened', detail: `${short(id)} is ${status} (${by}): ${detail}` },
  ];
  if (kind === 'withdrawal') {
    const state = payout?.status ?? 'not there';
    if (status === 'failed') return hasLeft(payout) ? find(`its payout is ${state}`) : [];
    return (status === 'paid' ? hasLeft(payout) : state === 'returned') ? [] : find(`its payout is ${state}`);
  }
  const payments = charge?.payments ?? [];
  if (payments.length === 0) return find('nobody paid');
  const isBack = payments.some((payment) => returnedOf(payment) === BigInt(payment.amount_minor));
  return status === 'paid' || isBack ? [] : find('no payment of it has gone back whole');
}
