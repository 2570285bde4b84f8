// What arrived on the account and what left it: its transactions.
import type { ListedPayout } from '../../domain/listed-payouts.js';
import { readEach } from '../common/read-each.js';
import type { AccountList, ListQuery, PayoutList, Receipt, ReceivedList, ReceivedQuery } from '../port.js';
import type { WooviContext } from './context.js';
import { KNOWN } from './known-fields.js';
import { listSpan } from './spans.js';
import { readTransaction, type TransactionWords } from './transaction-words.js';
import { transactionsAnswer, type WireTransaction } from './wire.js';

/** A return does not name its payment here, so payments alone are listed. */
export async function listReceived(context: WooviContext, query: ReceivedQuery): Promise<ReceivedList> {
  if (query.part === 'returns') return { kind: 'refused', reason: 'returns_are_not_listed' };
  return listTransactions(context, query, receiptOf);
}

/** They name no payment of ours: the end-to-end id alone says which withdrawal it was. */
export function listPayouts(context: WooviContext, query: ListQuery): Promise<PayoutList> {
  return listTransactions(context, query, (transaction, words) =>
    words.kind === 'transfer' ? transferOf(transaction, words) : payoutOf(transaction, words),
  );
}

function listTransactions<Item>(
  context: WooviContext,
  query: ListQuery,
  itemOf: (transaction: WireTransaction, words: TransactionWords) => Item | null,
): Promise<AccountList<Item>> {
  return listSpan(context, '/transaction', query, (answer) => {
    const listed = context.client.read(transactionsAnswer, KNOWN.transactions, answer);
    if (listed === null) return null;
    const read = readEach(listed.transactions, (element) => {
      const row = readTransaction(context, element);
      if (row.is === 'nothing') return [];
      if (row.is !== 'read' || isNameless(row.transaction, row.words)) return null;
      const item = itemOf(row.transaction, row.words);
      return item === null ? [] : [item];
    });
    return { ...read, hasMore: listed.pageInfo?.hasNextPage === true };
  });
}

/** Money of a PIX moved, and the one thing that names it is missing. */
function isNameless({ endToEndId }: WireTransaction, { kind, state }: TransactionWords): boolean {
  const isPix = kind === 'payment' || kind === 'payout';
  return isPix && endToEndId === null && state !== 'pending' && state !== 'rejected';
}

/** Money that left for another account of the company. It is no PIX, so it may have no end-to-end id. */
function transferOf(
  { endToEndId, transactionID, value, time }: WireTransaction,
  { state }: TransactionWords,
): ListedPayout | null {
  if (state === 'rejected') return null;
  const payoutId = endToEndId ?? transactionID ?? `transfer-${Date.parse(time)}-${value}`;
  return { payoutId, reference: null, endToEndId, amountMinor: value, sentAt: time, isSettled: state !== 'pending' };
}

/** Null for what did not leave. */
function payoutOf(
  { endToEndId, value, time }: WireTransaction,
  { kind, state }: TransactionWords,
): ListedPayout | null {
  if (kind !== 'payout' || endToEndId === null || state === 'rejected') return null;
  const isSettled = state !== 'pending';
  return { payoutId: endToEndId, reference: null, endToEndId, amountMinor: value, sentAt: time, isSettled };
}

/** Null for what is no payment that arrived. */
function receiptOf(transaction: WireTransaction, words: TransactionWords): Receipt | null {
  const { endToEndId, value, time, charge } = transaction;
  if (words.kind !== 'payment' || endToEndId === null) return null;
  if (words.state === 'pending' || words.state === 'rejected') return null;
  return {
    endToEndId,
    reference: charge?.correlationID ?? null,
    amountMinor: value,
    receivedAt: time,
    returns: words.state === 'sent_back' ? 'sent back' : '',
  };
}
