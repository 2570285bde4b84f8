// Which case comes next: by the same filters and the same order as the queue from which the person came.
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Answered } from '../../../../contract/panel/routes.js';
import { queryClient, read } from '../../api/queries.js';
import { useSession } from '../../api/session.js';
import type { QueueFilters } from '../../app/search.js';
import { useWords } from '../../preferences.js';
import { say } from '../../ui/toast.js';
import { caseWords } from '../../words/case.js';

type QueueItem = Answered<'readQueue'>['items'][number];

const route = getRouteApi('/gate/cases/$id');

/** Passed over in this tab, until it is loaded anew. */
const skipped = new Set<string>();

/** How to leave a case for another one. */
export function useNextCase(id: string) {
  const filters = route.useSearch();
  const { handle } = useSession();
  const words = useWords(caseWords);
  const navigate = useNavigate();
  const open = (next: string | undefined) => {
    if (next === undefined) return navigate({ to: '/queue', search: filters });
    return navigate({ to: '/cases/$id', params: { id: next }, search: filters });
  };
  const beside = async (by: 1 | -1) => {
    const items = await readAnew(filters);
    const at = items.findIndex((item) => item.id === id);
    const next = items[at + by];
    if (next !== undefined) await open(next.id);
  };
  return {
    next: () => beside(1),
    previous: () => beside(-1),
    skip: async () => {
      skipped.add(id);
      const next = firstFor(await readAnew(filters), id, handle);
      if (next === undefined) say({ text: words.noNext, tone: 'wait' });
      await open(next);
    },
    afterDecision: async () => open(firstFor(await readAnew(filters), id, handle)),
  };
}

function readAnew(filters: QueueFilters): Promise<readonly QueueItem[]> {
  return queryClient.fetchQuery({ ...read('readQueue', { query: filters }), staleTime: 0 }).then(
    ({ items }) => items,
    () => [],
  );
}

/** The most urgent that waits for this person: not approved by them, not with somebody else, not passed over. */
function firstFor(items: readonly QueueItem[], id: string, handle: string): string | undefined {
  return items.find(
    (item) =>
      item.id !== id &&
      !skipped.has(item.id) &&
      !item.approvals.given.includes(handle) &&
      (item.claim === null || item.claim.person === handle),
  )?.id;
}
