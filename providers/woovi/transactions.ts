// The account's lists by a span of time: transactions, what arrived and what left; and disputed payments. The document
// has no parameter for their pages, so a span with more than a page is read in halves. A row is read separately, and no
// further than its kind needs. A dispute has no deadline, and its reason is free text, which is not read.
import type { ListedMovement, ListedPayout } from '../../domain/listed-payouts.js';
import { readEach, type ReadElements, firstHalfOf, lengthOf, type Span, spanIn, spanText } from '../common/lists.js';
import type {
  AccountList,
  ListQuery,
  PayoutList,
  Receipt,
  ReceivedList,
  ReceivedQuery,
  SentQuery,
  Unknown,
  DisputeList,
} from '../port.js';
import { type WooviContext, reasonOf } from './client.js';
import { KNOWN, transactionsAnswer, type WireTransaction, transaction, disputesAnswer, listedDispute } from './wire.js';
import {
  isSentBack,
  transactionStateOf,
  type TransactionKind,
  type TransactionState,
  transactionKindOf,
  disputeStatusOf,
} from './status.js';
import { z } from 'zod';
import { fieldOf, unusable, unknown } from '../common/answers.js';
import type { HttpAnswer } from '../common/http.js';
import type { Dispute } from '../../domain/disputes.js';

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

export interface TransactionMeaning {
  readonly kind: TransactionKind;
  readonly state: TransactionState | null;
}

const kindAndState = z.object({ type: z.string().nullish(), status: z.string().nullish() });

/** `type` and `status` in either order; the tables have no word in common. */
function meaningOf({ type, status }: z.output<typeof kindAndState>): TransactionMeaning | 'unknown' {
  const given = [type, status].filter((word) => word !== null && word !== undefined);
  const kinds = given.map(transactionKindOf).filter((kind) => kind !== 'unknown');
  const states = given.map(transactionStateOf).filter((state) => state !== 'unknown');
  if (kinds.length !== 1 || kinds.length + states.length !== given.length) return 'unknown';
  return { kind: kinds[0]!, state: states[0] ?? null };
}

export type TransactionRow =
  | { readonly is: 'read'; readonly transaction: WireTransaction; readonly meaning: TransactionMeaning }
  /** Money of the account is held, or free again: nothing came and nothing left. */
  | { readonly is: 'nothing' }
  /** The document has its name only: what it means for the money is not guessed at. */
  | { readonly is: 'reversal' }
  /** `field`: what cannot be read of it. */
  | {
      readonly is: 'unreadable';
      readonly reason: 'unreadable_answer' | 'unknown_transaction_state';
      readonly field: string;
    };

/** Reads one row, and reports as drift what the document does not explain. */
function readTransaction({ client }: WooviContext, row: unknown): TransactionRow {
  const named = kindAndState.safeParse(row);
  const meaning = named.success ? meaningOf(named.data) : 'unknown';
  if (meaning === 'unknown') {
    client.noteDrift('unknown_state');
    return { is: 'unreadable', reason: 'unknown_transaction_state', field: 'status' };
  }
  if (meaning.kind === 'block') return { is: 'nothing' };
  if (meaning.kind === 'reversal') {
    client.noteDrift('unknown_state');
    return { is: 'reversal' };
  }
  const read = transaction.safeParse(row);
  if (read.success) return { is: 'read', transaction: read.data, meaning };
  client.noteDrift('unreadable_answer');
  return { is: 'unreadable', reason: 'unreadable_answer', field: fieldOf(read.error) };
}

type ReadRow = Extract<TransactionRow, { is: 'read' }>;

/** The rows of a look-up. One that cannot be read may be the one that decides. */
export function readTransactions(context: WooviContext, rows: readonly unknown[]): readonly ReadRow[] | Unknown {
  const read: ReadRow[] = [];
  for (const [index, row] of rows.entries()) {
    const found = readTransaction(context, row);
    if (found.is === 'unreadable') return unusable(found.reason, `transactions.${index}.${found.field}`);
    if (found.is === 'read') read.push(found);
  }
  return read;
}

/** Whether all rows could be read. */
export function isRead<Row>(rows: readonly Row[] | Unknown): rows is readonly Row[] {
  return Array.isArray(rows);
}

/** The shortest span, which is not halved any further. */
const SHORTEST_SPAN_MS = 1_000;

/** The content of an answer; `null` if it cannot be read. */
export type ReadSpan<Item> = (answer: HttpAnswer) => (ReadElements<Item> & { readonly hasMore: boolean }) | null;

/** Reads the next part of the span. `filters`: beyond the span. */
async function listSpan<Item>(
  { client, callTimeoutMs }: WooviContext,
  path: string,
  query: ListQuery,
  read: ReadSpan<Item>,
  filters: Readonly<Record<string, string>> = {},
): Promise<AccountList<Item>> {
  const toMs = Date.parse(query.to);
  const span = query.cursor === null ? { fromMs: Date.parse(query.from), toMs } : spanIn(query.cursor);
  const parameters = new URLSearchParams({ start: isoOf(span.fromMs), end: isoOf(span.toMs), ...filters });
  const answer = await client.call({
    method: 'GET',
    path: `${path}?${parameters.toString()}`,
    timeoutMs: callTimeoutMs,
  });
  if (answer.kind !== 'answered' && answer.reason === 'answer_too_large')
    return halved(span, { items: [], unreadable: 0 });
  const listed = read(answer);
  if (listed === null) return unknown(reasonOf(answer));
  const { hasMore, ...elements } = listed;
  if (hasMore) return halved(span, elements);
  const next = span.toMs < toMs ? spanText({ fromMs: span.toMs, toMs }) : null;
  return { kind: 'page', ...elements, next };
}

/** More than an answer holds: the first half comes next. */
function halved<Item>(span: Span, elements: ReadElements<Item>): AccountList<Item> {
  if (lengthOf(span) <= SHORTEST_SPAN_MS) return unknown('more_than_a_page');
  return { kind: 'page', ...elements, next: spanText(firstHalfOf(span)) };
}

const isoOf = (ms: number) => new Date(ms).toISOString();

export function listDisputes(context: WooviContext, query: ListQuery): Promise<DisputeList> {
  return listSpan(context, '/dispute', query, (answer) => {
    const listed = context.client.read(disputesAnswer, KNOWN.disputes, answer);
    if (listed === null) return null;
    const read = readEach(listed.disputes, (element) => {
      const dispute = disputeOf(context, element);
      return dispute === null ? null : [dispute];
    });
    return { ...read, hasMore: listed.pageInfo?.hasNextPage === true };
  });
}

/** `null` for one that cannot be read. */
function disputeOf({ client }: WooviContext, element: unknown): Dispute | null {
  const read = listedDispute.safeParse(element);
  if (!read.success) {
    client.noteDrift('unreadable_answer');
    return null;
  }
  const { endToEndId, status: word, value, createdAt } = read.data;
  const status = disputeStatusOf(word);
  if (status === 'unknown') {
    client.noteDrift('unknown_state');
    return null;
  }
  // A case has no other id in the list.
  return { id: endToEndId, endToEndId, amountMinor: value, status, reason: null, openedAt: createdAt, dueAt: null };
}
