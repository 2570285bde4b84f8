// Disputed payments (MED), where the dialect lists them. The standard does not.
import type { DisputeList, ListQuery } from '../port.js';
import type { Dialect } from './dialect.js';
import { type ListContext, listPages } from './list-pages.js';

interface DisputeContext extends ListContext {
  readonly dialect: Dialect;
}

/** One page of the cases that were opened in a span of time. */
export async function listDisputes(context: DisputeContext, query: ListQuery): Promise<DisputeList> {
  const { disputes } = context.dialect;
  if (disputes === null) return { kind: 'refused', reason: 'disputes_are_not_listed' };
  const form = {
    path: disputes.path,
    page: disputes.page.transform(({ cases, pages }) => ({
      elements: cases,
      hasMore: (page: number) => page + 1 < pages,
    })),
    read: (element: unknown) => {
      const read = disputes.read.safeParse(element);
      return read.success ? [read.data] : null;
    },
  };
  return listPages(context, form, query);
}
