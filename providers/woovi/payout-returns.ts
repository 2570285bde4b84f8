// What a receiving bank sent back of a payout: found in the account's transactions by the payout's end-to-end id.
import type { Payout, Reversal, Unknown } from '../port.js';
import { unknown, unusable } from '../common/answers.js';
import { unclear, unread, type WooviContext } from './context.js';
import { KNOWN } from './known-fields.js';
import { isSentBack, refundStateOf } from './status.js';
import { isRead, readTransactions, type TransactionMeaning } from './transaction-rows.js';
import { transactionsAnswer, type WireTransaction } from './wire.js';

/** The completed returns, or why they are not known. */
export async function payoutReturnsOf(
  context: WooviContext,
  endToEndId: string,
  sentMinor: bigint,
  timeoutMs: number,
): Promise<Payout['returns'] | Unknown> {
  const path = `/transaction?withdrawal=${endToEndId}`;
  const answer = await context.client.call({ method: 'GET', path, timeoutMs });
  const listed = context.client.read(transactionsAnswer, KNOWN.transactions, answer);
  if (listed === null) return unread(transactionsAnswer, answer);
  if (listed.pageInfo?.hasNextPage === true) return unusable('more_transactions_than_a_page', 'pageInfo');
  const rows = readTransactions(context, listed.transactions);
  if (!isRead(rows)) return rows;
  const returns: WireTransaction[] = [];
  for (const { transaction, meaning } of rows.filter(({ meaning: { kind } }) => kind === 'refund')) {
    const state = returnStateOf(context, transaction, meaning);
    if (state === 'done') returns.push(transaction);
    else if (state !== 'pending' && state !== 'refused') return unclear(state);
  }
  // The payout is reported as sent back and no return says how much: "nothing came back" would be wrong.
  const wasSentBack = rows.some(({ meaning: { kind, state } }) => kind === 'payout' && isSentBack(state));
  if (wasSentBack && returns.length === 0) return unknown('return_not_listed');
  const parts = partsOf(returns, sentMinor);
  return typeof parts === 'string' ? unclear(parts) : parts;
}

/** The state of a return's row, or the reason code of an inconclusive one. */
function returnStateOf(
  { client }: WooviContext,
  { type, status }: WireTransaction,
  { state }: TransactionMeaning,
): Reversal['status'] | string {
  if (state === null) return 'return_without_a_state';
  const [reported] = [type, status].flatMap((word) => {
    const one = typeof word === 'string' ? refundStateOf(word) : 'unknown';
    return one === 'unknown' ? [] : [one];
  });
  if (reported !== undefined) return reported;
  client.noteDrift('unknown_state');
  return 'unknown_transaction_state';
}

function partsOf(returns: readonly WireTransaction[], sentMinor: bigint): Payout['returns'] | string {
  const parts = returns
    .toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time))
    .map(({ endToEndId: reference, value: amountMinor, time: at }) => ({ reference, amountMinor, at, code: null }));
  if (!parts.every(isNamed)) return 'return_without_an_id';
  // Each part must count once.
  if (new Set(parts.map(({ reference }) => reference)).size !== parts.length) return 'duplicate_return';
  if (parts.some(({ amountMinor }) => amountMinor === 0n)) return 'returned_without_an_amount';
  return parts.reduce((sum, part) => sum + part.amountMinor, 0n) > sentMinor ? 'returned_more_than_sent' : parts;
}

function isNamed<Part extends { readonly reference: string | null }>(
  part: Part,
): part is Part & { readonly reference: string } {
  return part.reference !== null;
}
