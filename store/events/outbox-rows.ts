// Pieces of the statements that move rows of the outbox (outbox.ts).
import { Prisma } from '../../prisma/generated/client.js';

/** How long an attempt is left to whoever makes it. One takes at most ten seconds, and is stored in a few more. */
export const LEFT_FOR_SECONDS = 25;

/** The time from which any process may make an attempt that begins, or is planned, in so many seconds. */
export function takenAfterSql(seconds: number): Prisma.Sql {
  return Prisma.sql`now() + make_interval(secs => ${seconds + LEFT_FOR_SECONDS})`;
}

/** Removes the row of the event's own delivery, and that of the request. */
export function deliveryEndedSql(eventId: string, request: string): Prisma.Sql {
  return Prisma.sql`DELETE FROM event_outbox WHERE event_id = ${eventId} AND request IN ('', ${request})`;
}
