// Walks the queue page by page, in the order of the person's filters, until what is looked for is found.
import type { Answered } from '../../../../contract/panel/routes.js';
import { queryClient, read } from '../../api/queries.js';
import type { QueueFilters } from '../../app/search.js';

export type QueueItem = Answered<'readQueue'>['items'][number];

/** The person continues from there: a walk over the whole queue would load thousands of cases. */
const MOST_PAGES = 10;

/** `none`: the queue has no such case. `not_seen`: it continues beyond the pages that were read, or did not answer. */
export type NextCase = { readonly kind: 'found'; readonly id: string } | { readonly kind: 'none' | 'not_seen' };

/** @param pick takes the cases read so far, in order; `null` loads more, `'none'` means that more would not help */
export async function walkQueue(
  filters: QueueFilters,
  pick: (items: readonly QueueItem[]) => string | 'none' | null,
): Promise<NextCase> {
  const items: QueueItem[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query: QueueFilters & { cursor?: string } = cursor === null ? filters : { ...filters, cursor };
    const found = await queryClient.fetchQuery({ ...read('readQueue', { query }), staleTime: 0 }).catch(() => null);
    if (found === null) return { kind: 'not_seen' };
    items.push(...found.items);
    const picked = pick(items);
    if (picked === 'none') return { kind: 'none' };
    if (picked !== null) return { kind: 'found', id: picked };
    cursor = found.next;
    if (cursor === null) return { kind: 'none' };
  }
  return { kind: 'not_seen' };
}
