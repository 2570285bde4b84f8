// Disputed payments, as Woovi lists them. It has no deadline, and the reason is free text, which is not read.
import type { Dispute } from '../../domain/disputes.js';
import { readEach } from '../common/lists.js';
import type { DisputeList, ListQuery } from '../port.js';
import type { WooviContext } from './context.js';
import { KNOWN } from './known-fields.js';
import { listSpan } from './spans.js';
import { disputeStatusOf } from './status.js';
import { disputesAnswer, listedDispute } from './wire.js';

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
