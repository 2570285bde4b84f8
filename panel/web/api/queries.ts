// Reads as queries: the cache, its keys, and when it is asked again.
import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import { ask, type JsonRoute, type Request } from './client.js';
import { isPassing } from './faults.js';

const RETRIES = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < RETRIES && isPassing(error),
      // A request itself shows whether the network works.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** A read of the panel. What it answered last stays on the page while it is asked again. */
export function read<Name extends JsonRoute>(name: Name, request: Request<Name>) {
  return queryOptions({
    queryKey: [name, request] as const,
    queryFn: ({ signal }) => ask(name, request, { signal }),
  });
}

/** The same for filtered lists: the old rows stay until the new ones arrive. */
export function readList<Name extends JsonRoute>(name: Name, request: Request<Name>) {
  return queryOptions({ ...read(name, request), placeholderData: keepPreviousData });
}

/** The session does not change without an act, and searches are counted. */
const KEPT = ['readSession', 'search'];

/** Everything shown may be stale: reloads what is on the page; in a hidden tab, once it is visible. */
export function refreshShown(): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey: [name] }) => !KEPT.includes(String(name)),
    refetchType: document.visibilityState === 'visible' ? 'active' : 'none',
  });
}
