// What arrived on the account: its transactions. The document has no parameter for a page, so a span with more than a
// page is read in halves.
import type { Receipt, ReceivedList, ReceivedQuery } from '../port.js';
import { reasonOf, unknown, type WooviContext } from './context.js';
import { KNOWN } from './known-fields.js';
import { transactionWordsOf } from './transaction-words.js';
import { transactionsAnswer, type WireTransaction } from './wire.js';

/** So close together nothing is halved any more. */
const SHORTEST_SPAN_MS = 1_000;

/** A return does not name its payment here, so payments alone are listed. */
export async function listReceived(context: WooviContext, query: ReceivedQuery): Promise<ReceivedList> {
  if (query.part === 'returns') return { kind: 'refused', reason: 'returns_are_not_listed' };
  const toMs = Date.parse(query.to);
  const span = spanOf(query.cursor) ?? { fromMs: Date.parse(query.from), toMs };
  const parameters = new URLSearchParams({ start: isoOf(span.fromMs), end: isoOf(span.toMs) });
  const path = `/transaction?${parameters.toString()}`;
  const answer = await context.client.call({ method: 'GET', path, timeoutMs: context.callTimeoutMs });
  if (answer.kind !== 'answered' && answer.reason === 'answer_too_large') return halved(span, []);
  const listed = context.client.read(transactionsAnswer, KNOWN.transactions, answer);
  if (listed === null) return unknown(reasonOf(answer));
  const receipts = listed.transactions.flatMap((transaction) => receiptOf(context, transaction) ?? []);
  if (listed.pageInfo?.hasNextPage === true) return halved(span, receipts);
  const rest = span.toMs < toMs ? cursorOf({ fromMs: span.toMs, toMs }) : null;
  return { kind: 'page', receipts, unreadable: 0, next: rest };
}

/** More than an answer holds: the first half comes next. */
function halved({ fromMs, toMs }: Span, receipts: readonly Receipt[]): ReceivedList {
  const lengthMs = toMs - fromMs;
  if (lengthMs <= SHORTEST_SPAN_MS) return unknown('more_transactions_than_a_page');
  const half = { fromMs, toMs: fromMs + Math.floor(lengthMs / 2) };
  return { kind: 'page', receipts, unreadable: 0, next: cursorOf(half) };
}

/** Null for what is no payment that arrived. */
function receiptOf({ client }: WooviContext, transaction: WireTransaction): Receipt | null {
  const words = transactionWordsOf(transaction);
  if (words === 'unknown') {
    client.noteDrift('unknown_state');
    return null;
  }
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

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const isoOf = (ms: number) => new Date(ms).toISOString();
const cursorOf = ({ fromMs, toMs }: Span) => `${fromMs}-${toMs}`;

function spanOf(cursor: string | null): Span | null {
  if (cursor === null) return null;
  const [fromMs, toMs] = cursor.split('-').map(Number);
  return { fromMs: fromMs!, toMs: toMs! };
}
