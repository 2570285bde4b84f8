// The replay of events: in commit order, each once. Numbers are given under a lock per operation (operation_counter), so
// a reader never sees a later event before an earlier one.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../client.js';
import type { Sealer } from '../sealing.js';
import { rowOf, rowsOf } from '../statements.js';

export type EventRead =
  | { readonly kind: 'page'; readonly envelopes: readonly string[]; readonly lastId: string | null; readonly hasMore: boolean }
  /** `afterId` is no event of the operation. */
  | { readonly kind: 'unknown_event' };

export interface EventFilter {
  readonly operationId: string;
  readonly afterId: string | undefined;
  readonly objectId: string | undefined;
  readonly limit: number;
}

/** The operation's events after `afterId`: the JSON texts of their envelopes, byte for byte as they are delivered. */
export async function readEvents(database: Database, sealer: Sealer, filter: EventFilter): Promise<EventRead> {
  const { operationId, afterId, objectId, limit } = filter;
  const after = afterId === undefined ? undefined : await sequenceOf(database, operationId, afterId);
  if (after === null) return { kind: 'unknown_event' };
  const ofObject = objectId === undefined ? Prisma.empty : Prisma.sql`AND object_id = ${objectId}`;
  const later = after === undefined ? Prisma.empty : Prisma.sql`AND sequence > ${after}`;
  const rows = await rowsOf<{ id: string; bodySealed: Buffer }>(
    database,
    Prisma.sql`SELECT id, body_sealed AS "bodySealed" FROM event WHERE operation_id = ${operationId} ${ofObject} ${later} ORDER BY sequence LIMIT ${limit + 1}`,
  );
  const page = rows.slice(0, limit);
  const envelopes = page.map(({ bodySealed }) => sealer.openBytes(bodySealed).toString('utf8'));
  return { kind: 'page', envelopes, lastId: page.at(-1)?.id ?? null, hasMore: rows.length > limit };
}

async function sequenceOf(database: Database, operationId: string, id: string): Promise<string | null> {
  const row = await rowOf<{ sequence: string }>(database, Prisma.sql`SELECT sequence FROM event WHERE id = ${id} AND operation_id = ${operationId}`);
  return row?.sequence ?? null;
}

/** Whether the event is one of the operation's. */
export async function eventExists(database: Database, operationId: string, id: string): Promise<boolean> {
  return (await sequenceOf(database, operationId, id)) !== null;
}
