// Published events in commit order, each once. Their numbers are given under a lock per operation (operation_counter),
// so a reader never sees an event before an earlier one. The replay is a hot read, so SQL by the driver
// (statements.ts).
import { Prisma } from '../../prisma/generated/client.js';
import { type AuthenticatedRead, rowOf, rowsOfRead } from '../statements.js';
import type { Database } from '../database.js';
import { placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';
import { datedBody } from './bodies.js';

export type EventRead =
  | {
      readonly kind: 'page';
      readonly envelopes: readonly Buffer[];
      readonly lastId: string | null;
      readonly hasMore: boolean;
    }
  /** `afterId` is no event of the operation. */
  | { readonly kind: 'unknown_event' };

export interface EventFilter {
  readonly afterId: string | undefined;
  readonly objectId: string | undefined;
  readonly limit: number;
}

/**
 * The operation's events after `afterId`: the JSON texts of their envelopes, byte for byte as they are delivered.
 * `found`: their rows, if they were read during authentication.
 */
export async function readEvents(
  database: Database,
  sealer: Sealer,
  operationId: string,
  filter: EventFilter,
  found?: readonly object[],
): Promise<EventRead> {
  const { afterId, limit } = filter;
  const after = afterId === undefined ? undefined : await sequenceOf(database, operationId, afterId);
  if (after === null) return { kind: 'unknown_event' };
  const rows = await rowsOfRead<EventRow>(database, operationId, eventsAfter(filter, after), found);
  const page = rows.slice(0, limit);
  const envelopes = page.map(({ id, bodySealed, createdAt }) =>
    datedBody(sealer.openBytes(placeOf('event.body_sealed', operationId, { id }), bodySealed), createdAt),
  );
  return { kind: 'page', envelopes, lastId: page.at(-1)?.id ?? null, hasMore: rows.length > limit };
}

/** The first events as a read within authentication; null if `afterId` has to be looked up first. */
export function firstEvents(filter: EventFilter): AuthenticatedRead | null {
  return filter.afterId === undefined ? eventsAfter(filter, undefined) : null;
}

interface EventRow {
  readonly id: string;
  readonly bodySealed: Buffer;
  readonly createdAt: string;
}

function eventsAfter({ objectId, limit }: EventFilter, after: string | undefined): AuthenticatedRead {
  const ofObject = objectId === undefined ? Prisma.empty : Prisma.sql`AND object_id = ${objectId}`;
  const later = after === undefined ? Prisma.empty : Prisma.sql`AND sequence > ${after}`;
  return {
    of: (operationId) => Prisma.sql`
      SELECT id, body_sealed AS "bodySealed", created_at AS "createdAt" FROM event
      WHERE operation_id = ${operationId} ${ofObject} ${later}
      ORDER BY sequence LIMIT ${limit + 1}`,
    planning: 'once',
  };
}

async function sequenceOf(database: Database, operationId: string, id: string): Promise<string | null> {
  const row = await rowOf<{ sequence: string }>(
    database,
    Prisma.sql`SELECT sequence FROM event WHERE id = ${id} AND operation_id = ${operationId}`,
  );
  return row?.sequence ?? null;
}

/** Whether the operation has an event with this id. */
export async function eventExists(database: Database, operationId: string, id: string): Promise<boolean> {
  return (await sequenceOf(database, operationId, id)) !== null;
}
