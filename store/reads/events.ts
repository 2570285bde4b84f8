// The replay of events: in commit order, each once. Numbers are given under a lock per operation (operation_counter), so
// a reader never sees a later event before an earlier one.
import type { Database } from '../client.js';
import type { Sealer } from '../sealing.js';

export type EventRead =
  | { readonly kind: 'page'; readonly events: readonly unknown[]; readonly lastId: string | null; readonly hasMore: boolean }
  /** `afterId` is no event of the operation. */
  | { readonly kind: 'unknown_event' };

export interface EventFilter {
  readonly operationId: string;
  readonly afterId: string | undefined;
  readonly objectId: string | undefined;
  readonly limit: number;
}

/** The operation's events after `afterId`, as their envelopes were delivered. */
export async function readEvents(database: Database, sealer: Sealer, filter: EventFilter): Promise<EventRead> {
  const { operationId, afterId, objectId, limit } = filter;
  const after = afterId === undefined ? undefined : await sequenceOf(database, operationId, afterId);
  if (after === null) return { kind: 'unknown_event' };
  const rows = await database.event.findMany({
    where: { operationId, ...(objectId === undefined ? {} : { objectId }), ...(after === undefined ? {} : { sequence: { gt: after } }) },
    orderBy: { sequence: 'asc' },
    take: limit + 1,
    select: { id: true, bodySealed: true },
  });
  const page = rows.slice(0, limit);
  const events = page.map(({ bodySealed }) => sealer.openJson<unknown>(bodySealed));
  return { kind: 'page', events, lastId: page.at(-1)?.id ?? null, hasMore: rows.length > limit };
}

async function sequenceOf(database: Database, operationId: string, id: string): Promise<bigint | null> {
  const row = await database.event.findFirst({ where: { id, operationId }, select: { sequence: true } });
  return row?.sequence ?? null;
}

/** Whether the event is one of the operation's. */
export async function eventExists(database: Database, operationId: string, id: string): Promise<boolean> {
  return (await sequenceOf(database, operationId, id)) !== null;
}
