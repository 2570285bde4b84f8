// The outbox: every event whose delivery is not over. Its row is written with the event and removed when the operator
// accepts it. `due_at` says from when any process of the webhooks queue may take it. Whoever makes the next attempt has
// until then: the process that stored or took the event, or its delivery workflow. So nothing is lost with any of them.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowOf, rowsOf, sqlFile } from '../statements.js';
import type { SealedDelivery } from './deliveries.js';
import type { StoredEvent } from './first-attempts.js';

const TAKE_DUE = sqlFile('events/take-due.sql');

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

/** Whether something became due lately: a look that mostly finds nothing costs little. */
export async function isAnyDueLately(database: Database): Promise<boolean> {
  const row = await rowOf<{ isAnyDue: boolean }>(
    database,
    Prisma.sql`
      SELECT EXISTS (
        SELECT FROM event_outbox
        WHERE due_at <= now() AND due_at >= now() - make_interval(secs => ${LATELY_SECONDS}::integer)
      ) AS "isAnyDue"`,
    'for_its_values',
  );
  return row?.isAnyDue === true;
}

/**
 * Takes the events that are due. Planned each time, because a plan for an empty table would read all removed rows of a
 * full one.
 */
export async function takeDue(database: Database, { limit, since, except }: Look): Promise<readonly TakenEvent[]> {
  const isLately = since === 'lately';
  const rows = await rowsOf<Omit<TakenEvent, 'delivery'> & SealedDelivery>(
    database,
    TAKE_DUE({ limit, except, since: isLately ? null : since, lastSeconds: isLately ? LATELY_SECONDS : null }),
    'for_its_values',
  );
  return rows.map(({ target, body, createdAt, ...event }) => ({ ...event, delivery: { target, body, createdAt } }));
}

/** Ends the event's own delivery, and the requested one. */
export async function endDelivery(
  database: Database,
  { eventId, request }: Pick<TakenEvent, 'eventId' | 'request'>,
): Promise<void> {
  await rowsOf(
    database,
    Prisma.sql`DELETE FROM event_outbox WHERE event_id = ${eventId} AND request IN ('', ${request})`,
  );
}
