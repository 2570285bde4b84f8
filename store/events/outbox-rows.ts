// Pieces of the statements that move rows of the outbox (outbox.ts).
import { Prisma } from '../../prisma/generated/client.js';

/** How long an attempt is left to whoever makes it. One takes at most ten seconds, and is stored in a few more. */
const LEFT_FOR_SECONDS = 25;

/** The time from which any process may make an attempt that begins, or is planned, in so many seconds. */
export function takenAfterSql(seconds: number): Prisma.Sql {
  return Prisma.sql`now() + make_interval(secs => ${seconds + LEFT_FOR_SECONDS})`;
}

/** The clock of an operation of the sandbox; null: real time. */
export function clockSql(operationId: string): Prisma.Sql {
  return Prisma.sql`(SELECT clock FROM operation WHERE id = ${operationId})`;
}

/**
 * The same for an attempt that is planned by the operation's clock. While that stands still nobody takes it: who
 * advances the clock makes it due.
 */
export function plannedAfterSql(operationId: string, seconds: number): Prisma.Sql {
  return Prisma.sql`CASE WHEN ${clockSql(operationId)} ->> 'frozenAt' IS NULL THEN ${takenAfterSql(seconds)}
    ELSE 'infinity'::timestamptz END`;
}

/** When that attempt is planned, by the operation's clock. */
export function plannedAtSql(operationId: string, seconds: number): Prisma.Sql {
  const clock = clockSql(operationId);
  return Prisma.sql`CASE WHEN ${clock} IS NULL THEN now() ELSE operation_time(${clock}) END
    + make_interval(secs => ${seconds})`;
}

/** Removes the row of the event's own delivery, and that of the request. */
export function deliveryEndedSql(eventId: string, request: string): Prisma.Sql {
  return Prisma.sql`DELETE FROM event_outbox WHERE event_id = ${eventId} AND request IN ('', ${request})`;
}
