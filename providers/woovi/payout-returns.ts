// What a receiving bank sent back of a payout: the account's transactions tell, by the payout's end-to-end id.
import type { Payout } from '../port.js';
import { reasonOf, type WooviContext } from './context.js';
import { KNOWN } from './known-fields.js';
import { transactionKindOf, transactionStateOf } from './status.js';
import { transactionsAnswer, type WireTransaction } from './wire.js';

/** The completed returns together; null without any; the reason code of an inconclusive answer. */
export async function payoutReturnsOf(
  context: WooviContext,
  endToEndId: string,
  sentMinor: bigint,
  timeoutMs: number,
): Promise<Payout['returned'] | string> {
  const path = `/transaction?withdrawal=${endToEndId}`;
  const answer = await context.client.call({ method: 'GET', path, timeoutMs });
  const listed = context.client.read(transactionsAnswer, KNOWN.transactions, answer);
  if (listed === null) return reasonOf(answer);
  if (listed.pageInfo?.hasNextPage === true) return 'more_transactions_than_a_page';
  const returns: WireTransaction[] = [];
  for (const transaction of listed.transactions) {
    const done = isDoneReturn(context, transaction);
    if (typeof done === 'string') return done;
    if (done) returns.push(transaction);
  }
  return sumOf(returns, sentMinor);
}

function isDoneReturn(context: WooviContext, { type, status }: WireTransaction): boolean | string {
  const words = [type, status].filter((word) => word !== null && word !== undefined);
  const kind = words.map(transactionKindOf).find((one) => one !== 'unknown');
  const states = words.map(transactionStateOf).filter((one) => one !== 'unknown');
  if (kind === undefined || 1 + states.length !== words.length) {
    context.client.noteDrift('unknown_state');
    return 'unknown_transaction_state';
  }
  if (kind !== 'refund') return false;
  const [state] = states;
  if (state === undefined) return 'return_without_a_state';
  return state === 'credited';
}

function sumOf(returns: readonly WireTransaction[], sentMinor: bigint): Payout['returned'] | string {
  const ids = returns.map(({ endToEndId }) => endToEndId);
  if (ids.includes(null)) return 'return_without_an_id';
  // Parts are added up, so each must count once.
  if (new Set(ids).size !== ids.length) return 'return_told_twice';
  const last = returns.toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time)).at(-1);
  if (last === undefined) return null;
  const amountMinor = returns.reduce((sum, part) => sum + part.value, 0n);
  if (amountMinor > sentMinor) return 'returned_more_than_sent';
  return amountMinor === 0n ? 'returned_without_an_amount' : { at: last.time, code: null, amountMinor };
}
