// An operation's events for whoever asks for them instead of being sent them.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';
import { rowOf, rowsOf } from '../statements.js';
import { datedBody } from './bodies.js';

const EVENTS_AT_ONCE = 20;

export interface InboxEvent {
  readonly id: string;
  readonly type: string;
  /** The bytes of a delivery. */
  readonly body: Buffer;
}

interface Row {
  readonly id: string;
  readonly type: string;
  readonly bodySealed: Buffer;
  readonly createdAt: string;
}

const COLUMNS = Prisma.sql`id, type, body_sealed AS "bodySealed", created_at AS "createdAt"`;

/** The operation's last event; null before its first. */
export async function newestEventId(database: Database, operationId: string): Promise<string | null> {
  const row = await rowOf<{ id: string }>(
    database,
    Prisma.sql`SELECT id FROM event WHERE operation_id = ${operationId} ORDER BY sequence DESC LIMIT 1`,
  );
  return row?.id ?? null;
}

/** The operation's first events after one of its own; `null`: from its first. */
export async function eventsAfter(
  database: Database,
  sealer: Sealer,
  operationId: string,
  after: string | null,
): Promise<InboxEvent[]> {
  const rows = await rowsOf<Row>(
    database,
    Prisma.sql`
      SELECT ${COLUMNS} FROM event
      WHERE operation_id = ${operationId} AND sequence > coalesce(
        (SELECT sequence FROM event WHERE id = ${after} AND operation_id = ${operationId}), 0)
      ORDER BY sequence LIMIT ${EVENTS_AT_ONCE}`,
  );
  return rows.map((row) => opened(sealer, operationId, row));
}

/** One event of the operation; null if it has no such event. */
export async function inboxEvent(
  database: Database,
  sealer: Sealer,
  operationId: string,
  id: string,
): Promise<InboxEvent | null> {
  const row = await rowOf<Row>(
    database,
    Prisma.sql`SELECT ${COLUMNS} FROM event WHERE operation_id = ${operationId} AND id = ${id}`,
  );
  return row === null ? null : opened(sealer, operationId, row);
}

function opened(sealer: Sealer, operationId: string, { id, type, bodySealed, createdAt }: Row): InboxEvent {
  const place = placeOf('event.body_sealed', operationId, { id });
  return { id, type, body: datedBody(sealer.openBytes(place, bodySealed), createdAt) };
}
