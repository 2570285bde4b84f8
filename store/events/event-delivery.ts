// One event and the state of its delivery.
import type { Database } from '../database.js';

/** The event without its body; `null` if there is none. */
export function eventById(database: Database, id: string) {
  return database.event.findUnique({
    where: { id },
    select: { operationId: true, type: true, objectId: true, objectVersion: true, createdAt: true },
  });
}

/** The last attempt to deliver the event, null before the first one, and how many there were. */
export async function deliveryAttemptsOf(database: Database, eventId: string) {
  const [last, attempts] = await Promise.all([
    database.webhookDelivery.findFirst({ where: { eventId }, orderBy: { id: 'desc' } }),
    database.webhookDelivery.count({ where: { eventId } }),
  ]);
  return { last, attempts };
}
