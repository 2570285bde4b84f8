// One event and the state of its delivery.
import type { Database } from '../database.js';
import { placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';
import { datedBody } from './bodies.js';

/** The event without its body; `null` if there is none. */
export function eventById(database: Database, id: string) {
  return database.event.findUnique({
    where: { id },
    select: { operationId: true, type: true, objectId: true, objectVersion: true, createdAt: true },
  });
}

/** The event's body, opened; `null` if there is no such event. */
export async function bodyOfEvent(database: Database, sealer: Sealer, id: string) {
  const event = await database.event.findUnique({ where: { id } });
  if (event === null) return null;
  const { operationId, type, bodySealed, createdAt } = event;
  const body = sealer.openBytes(placeOf('event.body_sealed', operationId, { id }), Buffer.from(bodySealed));
  return { operationId, type, body: datedBody(body, createdAt.toISOString()) };
}

/** The last attempt to deliver the event, null before the first one, and how many there were. */
export async function deliveryAttemptsOf(database: Database, eventId: string) {
  const [last, attempts] = await Promise.all([
    database.webhookDelivery.findFirst({ where: { eventId }, orderBy: { id: 'desc' } }),
    database.webhookDelivery.count({ where: { eventId } }),
  ]);
  return { last, attempts };
}
