// The events of one object, and the attempts to deliver them.
import type { Database } from '../database.js';

/** The object's events without their bodies, oldest first. */
export function eventsOfObject(
  database: Database,
  { id, operationId }: { readonly id: string; readonly operationId: string },
  take: number,
) {
  return database.event.findMany({
    where: { operationId, objectId: id },
    orderBy: { sequence: 'asc' },
    take,
    select: { id: true, type: true, objectVersion: true, createdAt: true },
  });
}

/** The attempts to deliver these events, in order. */
export function deliveriesOf(database: Database, events: readonly { readonly id: string }[], take: number) {
  return database.webhookDelivery.findMany({
    where: { eventId: { in: events.map(({ id }) => id) } },
    orderBy: { id: 'asc' },
    take,
  });
}
