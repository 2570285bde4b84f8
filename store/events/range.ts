// The events of an operation between two moments, to deliver them again.
import type { EventRange } from '../../contract/temporal/redelivery.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowsOf } from '../statements.js';

/** How many events there are, at most `limit`, and between which sequences they lie. */
export interface FoundRange {
  readonly events: number;
  readonly first: string;
  readonly last: string;
}

/** `null` if there is none. Events are found by their time in a block-range index, which costs their insert nothing. */
export async function findRange(database: Database, range: EventRange, limit: number): Promise<FoundRange | null> {
  const [found] = await rowsOf<FoundRange>(
    database,
    Prisma.sql`
      SELECT count(*)::int AS events, min(sequence)::text AS first, max(sequence)::text AS last
      FROM (SELECT sequence FROM event WHERE ${isInRange(range)} LIMIT ${limit}) AS found`,
  );
  return found === undefined || found.events === 0 ? null : found;
}

/** The next events of the range from the sequence `first` on, in order; `next` is null after the last. */
export async function readRange(
  database: Database,
  { first, last, limit, ...range }: EventRange & { first: string; last: string; limit: number },
): Promise<{ readonly eventIds: readonly string[]; readonly next: string | null }> {
  const rows = await rowsOf<{ id: string; sequence: string }>(
    database,
    Prisma.sql`
      SELECT id, sequence::text FROM event
      WHERE ${isInRange(range)} AND sequence BETWEEN ${first}::bigint AND ${last}::bigint
      ORDER BY sequence LIMIT ${limit + 1}`,
  );
  return { eventIds: rows.slice(0, limit).map(({ id }) => id), next: rows[limit]?.sequence ?? null };
}

function isInRange({ operationId, from, to, selection }: EventRange): Prisma.Sql {
  const inTime = Prisma.sql`
    operation_id = ${operationId} AND created_at >= ${from}::timestamptz AND created_at < ${to}::timestamptz`;
  if (selection === 'all') return inTime;
  return Prisma.sql`${inTime} AND NOT EXISTS (
    SELECT FROM webhook_delivery
    WHERE webhook_delivery.event_id = event.id AND response_status BETWEEN 200 AND 299 AND error IS NULL)`;
}
