// The outbox: every event whose delivery is not over. Its row is written with the event and removed when the operator
// accepts it. `due_at` says from when any process of the webhooks queue may take it. Whoever makes the next attempt has
// until then: the process that stored or took the event, or its delivery workflow. So nothing is lost with any of them.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowOf, rowsOf } from '../statements.js';
import { type SealedDelivery, targetSql } from './deliveries.js';
import type { StoredEvent } from './first-attempts.js';
import { deliveryEndedSql, takenAfterSql } from './outbox-rows.js';

export interface OutboxEvent extends StoredEvent {
  /** The CTE that stores the event: no row, no event. */
  readonly stored: Prisma.Sql;
}

/** CTE `outboxed`, for an event whose first attempt is made by whoever takes it. */
export function outboxSql(event: Omit<OutboxEvent, 'objectId'>): Prisma.Sql {
  return Prisma.sql`
    outboxed AS (${insertedSql(event, Prisma.sql`now()`)})`;
}

/**
 * CTEs `mine` and `outboxed`, for an event whose first attempt this process would make. It is not its own while an
 * earlier event of the object waits elsewhere for its first attempt.
 * @param held the earlier events whose first attempts this process has under way
 */
export function heldOutboxSql(event: OutboxEvent, held: readonly string[]): Prisma.Sql {
  const dueAt = Prisma.sql`CASE WHEN (SELECT is_mine FROM mine) THEN ${takenAfterSql(0)} ELSE now() END`;
  return Prisma.sql`
    mine AS (
      SELECT NOT EXISTS (
        SELECT FROM event AS earlier JOIN event_outbox AS waiting ON waiting.event_id = earlier.id
        WHERE earlier.operation_id = ${event.operationId} AND earlier.object_id = ${event.objectId}
          AND waiting.request = '' AND waiting.attempts = 0 AND earlier.id <> ALL(${[...held]}::text[])
      ) AS is_mine
    ),
    outboxed AS (${insertedSql(event, dueAt)})`;
}

/** An operation without a webhook URL has no deliveries. */
function insertedSql({ eventId, operationId, stored }: Omit<OutboxEvent, 'objectId'>, dueAt: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
      INSERT INTO event_outbox (event_id, operation_id, due_at)
      SELECT ${eventId}, operation.id, ${dueAt} FROM ${stored}, operation
      WHERE operation.id = ${operationId} AND operation.webhook_url IS NOT NULL`;
}

/** An event that was taken out of the outbox, with its delivery. */
export interface TakenEvent extends StoredEvent {
  /** Empty for the event's own delivery. */
  readonly request: string;
  /** Attempts that its schedule has made. */
  readonly attempts: number;
  /** RFC 3339; from when it could be taken. */
  readonly dueAt: string;
  readonly delivery: SealedDelivery;
}

/** Which due events a process looks for. */
export interface Look {
  readonly limit: number;
  /**
   * RFC 3339: only events that became due at this time or later; `lately`: in the last seconds. Removed rows that an
   * old snapshot still needs are so not read again by every look.
   */
  readonly since: string | 'lately' | null;
  /** Operations whose events are left for now. */
  readonly except: readonly string[];
}

/** `lately`: longer than a row can become visible after its time. */
const LATELY_SECONDS = 5;

function sinceSql(since: Look['since']): Prisma.Sql {
  if (since === null) return Prisma.empty;
  if (since === 'lately') return Prisma.sql`AND waiting.due_at >= now() - make_interval(secs => ${LATELY_SECONDS})`;
  return Prisma.sql`AND waiting.due_at >= ${since}::timestamptz`;
}

/** Whether something became due lately: a look that mostly finds nothing costs little. */
export async function isAnyDueLately(database: Database): Promise<boolean> {
  const row = await rowOf<{ isAnyDue: boolean }>(
    database,
    Prisma.sql`
      SELECT EXISTS (
        SELECT FROM event_outbox AS waiting WHERE waiting.due_at <= now() ${sinceSql('lately')}
      ) AS "isAnyDue"`,
    'for_its_values',
  );
  return row?.isAnyDue === true;
}

/**
 * Takes the events that are due, the first first, for `LEFT_FOR_SECONDS`. Two processes never take the same one:
 * each skips what the other has locked. A first attempt waits for those of earlier events of the same object. Planned
 * each time, because a plan for an empty table would read all removed rows of a full one.
 */
export async function takeDue(database: Database, { limit, since, except }: Look): Promise<readonly TakenEvent[]> {
  const rows = await rowsOf<Omit<TakenEvent, 'delivery'> & SealedDelivery>(
    database,
    Prisma.sql`
      WITH due AS (
        SELECT waiting.event_id, waiting.request, waiting.due_at FROM event_outbox AS waiting
        WHERE waiting.due_at <= now() ${sinceSql(since)} AND waiting.operation_id <> ALL(${[...except]}::text[])
          AND (waiting.request <> '' OR waiting.attempts > 0 OR NOT EXISTS (
            SELECT FROM event AS own
              JOIN event AS earlier ON earlier.operation_id = own.operation_id AND earlier.object_id = own.object_id
                AND earlier.sequence < own.sequence
              JOIN event_outbox AS before ON before.event_id = earlier.id
            WHERE own.id = waiting.event_id AND before.request = '' AND before.attempts = 0
          ))
        ORDER BY waiting.due_at LIMIT ${limit} FOR UPDATE OF waiting SKIP LOCKED
      ), taken AS (
        UPDATE event_outbox SET due_at = ${takenAfterSql(0)} FROM due
        WHERE event_outbox.event_id = due.event_id AND event_outbox.request = due.request
        RETURNING event_outbox.event_id, event_outbox.request, event_outbox.attempts, due.due_at
      )
      SELECT event.id AS "eventId", event.operation_id AS "operationId", event.object_id AS "objectId", taken.request,
        taken.attempts, taken.due_at AS "dueAt", event.body_sealed AS body, event.created_at AS "createdAt",
        ${targetSql(Prisma.sql`event.operation_id`)} AS target
      FROM taken JOIN event ON event.id = taken.event_id
      ORDER BY taken.due_at, event.sequence`,
    'for_its_values',
  );
  return rows.map(({ target, body, createdAt, ...event }) => ({ ...event, delivery: { target, body, createdAt } }));
}

/** Ends the event's own delivery, and the requested one. */
export async function endDelivery(
  database: Database,
  { eventId, request }: Pick<TakenEvent, 'eventId' | 'request'>,
): Promise<void> {
  await rowsOf(database, deliveryEndedSql(eventId, request));
}
