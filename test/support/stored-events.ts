// Events of an operation as the steps of its payments store them: sealed, and due in the outbox.
import { newId } from '../../domain/identifiers.js';
import type { Database } from '../../store/database.js';
import { placeOf } from '../../store/sealing/places.js';
import type { Sealer } from '../../store/sealing/sealer.js';

interface Store {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly operationId: string;
}

let sequence = 0n;

/** Answers the id of an event that was stored just now. */
export async function storedEvent({ database, sealer, operationId }: Store): Promise<string> {
  const [id, objectId] = [newId('event'), newId('deposit')];
  const place = placeOf('event.body_sealed', operationId, { id });
  const body = JSON.stringify({ id, object_id: objectId, type: 'deposit.pending' });
  const bodySealed = Buffer.from(sealer.sealBytes(place, Buffer.from(body)));
  const of = { operationId, type: 'deposit.pending', objectId, objectVersion: 2, bodySealed, createdAt: new Date() };
  await database.event.create({ data: { id, sequence: (sequence += 1n), ...of } });
  await database.eventOutbox.create({ data: { eventId: id, operationId, dueAt: new Date() } });
  return id;
}
