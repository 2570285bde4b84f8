// What arrived on the account: its transactions.
import type { Receipt, ReceivedList, ReceivedQuery } from '../port.js';
import type { WooviContext } from './context.js';
import { KNOWN } from './known-fields.js';
import { listSpan } from './spans.js';
import { transactionWordsOf } from './transaction-words.js';
import { transactionsAnswer, type WireTransaction } from './wire.js';

/** A return does not name its payment here, so payments alone are listed. */
export async function listReceived(context: WooviContext, query: ReceivedQuery): Promise<ReceivedList> {
  if (query.part === 'returns') return { kind: 'refused', reason: 'returns_are_not_listed' };
  return listSpan(context, '/transaction', query, (answer) => {
    const listed = context.client.read(transactionsAnswer, KNOWN.transactions, answer);
    if (listed === null) return null;
    const items = listed.transactions.flatMap((transaction) => receiptOf(context, transaction) ?? []);
    return { items, unreadable: 0, hasMore: listed.pageInfo?.hasNextPage === true };
  });
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
