// The time zones of operations, for moments on pages that show several.
import { useQuery } from '@tanstack/react-query';
import { read } from '../api/queries.js';

/** The zone of an operation's rules; `undefined` (the browser's) for what is about the whole gateway. */
export function useZones(): (operation: { readonly id: string } | null) => string | undefined {
  const { data } = useQuery(read('readOperations', {}));
  return (operation) => data?.items.find(({ id }) => id === operation?.id)?.time_zone;
}
