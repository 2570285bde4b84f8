// Payouts that left the account, if the dialect lists them. The standard does not.
import type { ListedPayout } from '../../domain/listed-payouts.js';
import type { PayoutList, SentQuery } from '../port.js';
import type { PayoutDialect } from './dialect.js';
import { type ListContext, listPages } from './list-pages.js';

/** One page of what was sent in a span of time. No list can be filtered by "has a return". */
export async function listPayouts(
  context: ListContext,
  list: PayoutDialect['list'],
  { part, ...query }: SentQuery,
): Promise<PayoutList> {
  if (list === null) return { kind: 'refused', reason: 'payouts_are_not_listed' };
  const isAsked = ({ returns }: ListedPayout) => part === 'payouts' || returns !== '';
  const form = {
    path: list.path,
    page: list.page.transform(({ payouts, hasMore }) => ({ elements: payouts, hasMore })),
    read: (element: unknown) => {
      const read = list.read.safeParse(element);
      if (!read.success) return null;
      return read.data === null || !isAsked(read.data) ? [] : [read.data];
    },
  };
  return listPages(context, form, query);
}
