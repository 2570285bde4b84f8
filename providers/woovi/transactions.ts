// The account's transactions: what arrived and what left.
import type { ListedMovement, ListedPayout } from '../../domain/listed-payouts.js';
import { readEach } from '../common/lists.js';
import type { AccountList, ListQuery, PayoutList, Receipt, ReceivedList, ReceivedQuery, SentQuery } from '../port.js';
import type { WooviContext } from './context.js';
import { KNOWN } from './known-fields.js';
import { listSpan, type ReadSpan } from './spans.js';
import { isSentBack, transactionStateOf } from './status.js';
import { readTransaction, type TransactionMeaning } from './transaction-rows.js';
import { transactionsAnswer, type WireTransaction } from './wire.js';

/**
 * A return does not name its payment here, but the payment says that something was sent back. There is no filter for
 * such payments, so all payments of the span are read.
 */
export function listReceived(context: WooviContext, query: ReceivedQuery): Promise<ReceivedList> {
  const itemOf = (...one: Parameters<typeof receiptOf>) => lookedUpDaily(receiptOf(...one), query);
  switch (query.part) {
    case 'payments':
      return listTransactions(context, query, itemOf);
    case 'returns':
      return listTransactions(context, query, (...one) => withReturns(itemOf(...one)), { type: 'PAYMENT' });
  }
}

/** A further part of a return changes nothing here, so until the whole is gone its deposit is to look once a day. */
function lookedUpDaily(receipt: Receipt | null, { to }: ReceivedQuery): Receipt | null {
  return receipt?.returns === 'PARTIAL_REFUND' ? { ...receipt, returns: `PARTIAL_REFUND ${to.slice(0, 10)}` } : receipt;
}

/**
 * Payouts name no reference of ours: the end-to-end id alone says which withdrawal it was. Where a payout came back its
 * line may say so, and the return has its own line.
 */
export function listPayouts(context: WooviContext, query: SentQuery): Promise<PayoutList> {
  switch (query.part) {
    case 'payouts':
      return listTransactions(context, query, movementOf);
    case 'payout_returns':
      return listTransactions(context, query, (...one) => withReturns(payoutOf(...one)), { type: 'WITHDRAW' });
  }
}

/** `null` for a transaction that is not a return. */
function withReturns<Item extends { readonly returns: string }>(item: Item | null): Item | null {
  return item === null || item.returns === '' ? null : item;
}

function listTransactions<Item>(
  context: WooviContext,
  query: ListQuery,
  itemOf: (transaction: WireTransaction, meaning: TransactionMeaning) => Item | null,
  filters: Readonly<Record<string, string>> = {},
): Promise<AccountList<Item>> {
  const readAnswer: ReadSpan<Item> = (answer) => {
    const listed = context.client.read(transactionsAnswer, KNOWN.transactions, answer);
    if (listed === null) return null;
    const read = readEach(listed.transactions, (element) => {
      const row = readTransaction(context, element);
      if (row.is === 'nothing') return [];
      if (row.is !== 'read' || isNameless(row.transaction, row.meaning)) return null;
      const item = itemOf(row.transaction, row.meaning);
      return item === null ? [] : [item];
    });
    return { ...read, hasMore: listed.pageInfo?.hasNextPage === true };
  };
  return listSpan(context, '/transaction', query, readAnswer, filters);
}

/** `null` for a transaction that is neither a payout nor a return. */
function movementOf(transaction: WireTransaction, meaning: TransactionMeaning): ListedMovement | null {
  const { endToEndId, value, time } = transaction;
  if (meaning.kind === 'transfer') return transferOf(transaction, meaning);
  if (meaning.kind !== 'refund') return payoutOf(transaction, meaning);
  if (endToEndId === null || meaning.state !== 'credited') return null;
  return { returnId: endToEndId, amountMinor: value, returnedAt: time };
}

/** Money of a PIX moved, and the id that identifies it is missing. */
function isNameless({ endToEndId }: WireTransaction, { kind, state }: TransactionMeaning): boolean {
  const isPix = kind === 'payment' || kind === 'payout';
  return isPix && endToEndId === null && state !== 'pending' && state !== 'rejected';
}

/** Money that left for another account of the company. It is no PIX, so it may have no end-to-end id. */
function transferOf(
  { endToEndId, transactionID, value, time }: WireTransaction,
  { state }: TransactionMeaning,
): ListedPayout | null {
  if (state === 'rejected') return null;
  const payoutId = endToEndId ?? transactionID ?? `transfer-${Date.parse(time)}-${value}`;
  return {
    payoutId,
    reference: null,
    endToEndId,
    amountMinor: value,
    sentAt: time,
    isSettled: state !== 'pending',
    returns: '',
  };
}

/** `null` for a transaction that is not a payout. */
function payoutOf(transaction: WireTransaction, { kind, state }: TransactionMeaning): ListedPayout | null {
  const { endToEndId, value, time } = transaction;
  if (kind !== 'payout' || endToEndId === null || state === 'rejected') return null;
  return {
    payoutId: endToEndId,
    reference: null,
    endToEndId,
    amountMinor: value,
    sentAt: time,
    isSettled: state !== 'pending',
    returns: returnsOf(transaction),
  };
}

/** Woovi's status, which shows whether a part or the whole was sent back. */
function returnsOf({ type, status }: WireTransaction): string {
  return [type, status].find((word) => typeof word === 'string' && isSentBack(transactionStateOf(word))) ?? '';
}

/** `null` for a transaction that is not a received payment. */
function receiptOf(transaction: WireTransaction, meaning: TransactionMeaning): Receipt | null {
  const { endToEndId, value, time, charge } = transaction;
  if (meaning.kind !== 'payment' || endToEndId === null) return null;
  if (meaning.state === 'pending' || meaning.state === 'rejected') return null;
  return {
    endToEndId,
    reference: charge?.correlationID ?? null,
    amountMinor: value,
    receivedAt: time,
    returns: returnsOf(transaction),
  };
}
