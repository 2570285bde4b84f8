// The outbox: events that were stored by a process which does not deliver them. The row is written with the event and
// removed by the process that takes the event to deliver it, so every event is taken once.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowsOf } from '../statements.js';
import { type SealedDelivery, targetSql } from './deliveries.js';
import type { StoredEvent } from './first-attempts.js';

/** An event that was taken out of the outbox, with its delivery. */
export interface TakenEvent extends StoredEvent {
  readonly delivery: SealedDelivery;
}

/** CTE `outboxed`: puts the event into the outbox if the CTE before it stored something. */
export function outboxSql(eventId: string, stored: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    outboxed AS (
      INSERT INTO event_outbox (event_id) SELECT ${eventId} FROM ${stored}
    )`;
}

/** Takes the oldest events. Two processes never take the same one: each skips what the other has locked. */
export async function takeFromOutbox(database: Database, limit: number): Promise<readonly TakenEvent[]> {
  const rows = await rowsOf<StoredEvent & SealedDelivery>(
    database,
    Prisma.sql`
      WITH taken AS (
        DELETE FROM event_outbox WHERE id IN (
          SELECT id FROM event_outbox ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED
        )
        RETURNING event_id
      )
      SELECT event.id AS "eventId", event.operation_id AS "operationId", event.object_id AS "objectId",
        event.body_sealed AS body, event.created_at AS "createdAt",
        ${targetSql(Prisma.sql`event.operation_id`)} AS target
      FROM taken JOIN event ON event.id = taken.event_id`,
  );
  return rows.map(({ eventId, operationId, objectId, ...delivery }) => ({ eventId, operationId, objectId, delivery }));
}
