// Events that are delivered again because somebody asked for them: one, or those of an operation between two moments.
// Each is a row of the outbox, due at its own time.
import { randomUUID } from 'node:crypto';
import type { EventRange } from '../../domain/event-range.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import type { Transaction } from '../transactions.js';

/** Ten events a second: an endpoint that has just come back is not buried. */
const RANGE_PAUSE_MS = 100;

/** Has the event delivered once more, at once. Every request is a delivery. */
export async function requestRedelivery(
  database: Pick<Transaction, '$executeRaw'>,
  { eventId, operationId }: { readonly eventId: string; readonly operationId: string },
): Promise<void> {
  // The column has milliseconds: rounded up, it would be due a moment later.
  await database.$executeRaw`
    INSERT INTO event_outbox (event_id, request, operation_id, due_at)
    VALUES (${eventId}, ${randomUUID()}, ${operationId}, date_trunc('milliseconds', now()))`;
}

/** How many events there are, at most `limit`. They are found by their time in a block-range index. */
export async function countRange(database: Database, range: EventRange, limit: number): Promise<number> {
  const [found] = await database.$queryRaw<{ events: number }[]>`
    SELECT count(*)::int AS events FROM (SELECT FROM event WHERE ${isInRange(range)} LIMIT ${limit}) AS found`;
  return found?.events ?? 0;
}

/**
 * Has the events delivered once more, oldest first. Answers how many; none if some of an earlier range of the operation
 * are still to be delivered: two ranges would send everything twice.
 */
export async function requestRange(transaction: Transaction, range: EventRange): Promise<number> {
  return transaction.$executeRaw`
    INSERT INTO event_outbox (event_id, request, operation_id, due_at)
    SELECT id, 'range', operation_id,
      now() + (row_number() OVER (ORDER BY sequence) - 1) * make_interval(secs => ${RANGE_PAUSE_MS / 1_000})
    FROM event WHERE ${isInRange(range)}
      AND NOT EXISTS (SELECT FROM event_outbox WHERE operation_id = ${range.operationId} AND request = 'range')
    ON CONFLICT DO NOTHING`;
}

function isInRange({ operationId, from, to, selection }: EventRange): Prisma.Sql {
  const inTime = Prisma.sql`
    event.operation_id = ${operationId} AND event.created_at >= ${from}::timestamptz
    AND event.created_at < ${to}::timestamptz`;
  if (selection === 'all') return inTime;
  return Prisma.sql`${inTime} AND NOT EXISTS (
    SELECT FROM webhook_delivery
    WHERE webhook_delivery.event_id = event.id AND response_status BETWEEN 200 AND 299 AND error IS NULL)`;
}
