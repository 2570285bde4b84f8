// The clock of an operation of the sandbox, and what waits for it: open payments, and the attempts of deliveries that
// are planned by it. In the database a trigger keeps it going forward (keep_clock).
import type { OperationClock } from '../../domain/operation-clock.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowOf, rowsOf } from '../statements.js';

export interface ReadClock {
  readonly clock: OperationClock | null;
  /** What it shows, RFC 3339. */
  readonly now: string;
  /** RFC 3339. */
  readonly realTime: string;
  /** Whether an advance is under way. */
  readonly isHeld: boolean;
}

const COLUMNS = Prisma.sql`clock, operation_time(clock)::timestamptz(3) AS now, clock_timestamp()::timestamptz(3) AS "realTime",
  coalesce(clock_held_until > clock_timestamp(), FALSE) AS "isHeld"`;

export async function readClock(database: Database, operationId: string): Promise<ReadClock> {
  const row = await rowOf<ReadClock>(database, Prisma.sql`SELECT ${COLUMNS} FROM operation WHERE id = ${operationId}`);
  if (row === null) throw new Error('the operation has no row');
  return row;
}

/** The operation's time: real time, unless it has a clock of its own. */
export async function operationTime(database: Pick<Database, '$queryRaw'>, operationId: string): Promise<Date> {
  const [row] = await database.$queryRaw<{ now: Date }[]>`
    SELECT operation_time(clock)::timestamptz(3) AS now FROM operation WHERE id = ${operationId}`;
  if (row === undefined) throw new Error('the operation has no row');
  return row.now;
}

/** Takes the clock for so long; `null` while another advance has it. */
export function holdClock(database: Database, operationId: string, seconds: number): Promise<ReadClock | null> {
  return rowOf<ReadClock>(
    database,
    Prisma.sql`
      UPDATE operation SET clock_held_until = clock_timestamp() + make_interval(secs => ${seconds})
      WHERE id = ${operationId} AND (clock_held_until IS NULL OR clock_held_until <= clock_timestamp())
      RETURNING ${COLUMNS}`,
  );
}

export async function releaseClock(database: Database, operationId: string): Promise<void> {
  await rowsOf(database, Prisma.sql`UPDATE operation SET clock_held_until = NULL WHERE id = ${operationId}`);
}

/** Sets the clock to a moment (RFC 3339), from which it runs, or where it stands still. */
export async function setClock(
  database: Database,
  operationId: string,
  { at, isFrozen }: { readonly at: string; readonly isFrozen: boolean },
): Promise<OperationClock> {
  const row = await rowOf<{ readonly clock: OperationClock }>(
    database,
    Prisma.sql`
      UPDATE operation SET clock = jsonb_build_object(
        'revision', coalesce((clock ->> 'revision')::int, 0) + 1,
        'offsetMs', round(extract(epoch FROM ${at}::timestamptz - clock_timestamp()) * 1000),
        'frozenAt', CASE WHEN ${isFrozen} THEN ${at}::text END)
      WHERE id = ${operationId} RETURNING clock`,
  );
  if (row === null) throw new Error('the operation has no row');
  return row.clock;
}

/** The operation's payments that are not over, the oldest first. */
export async function openPayments(database: Database, operationId: string, limit: number): Promise<readonly string[]> {
  const rows = await rowsOf<{ readonly id: string }>(
    database,
    Prisma.sql`
      SELECT id FROM (
        SELECT id, created_at FROM deposit
        WHERE operation_id = ${operationId} AND status IN ('created', 'pending', 'under_review')
        UNION ALL
        SELECT id, created_at FROM withdrawal
        WHERE operation_id = ${operationId} AND status IN ('requested', 'under_review', 'approved', 'processing')
      ) AS payment ORDER BY created_at, id LIMIT ${limit}`,
  );
  return rows.map(({ id }) => id);
}

/** An event whose delivery is not over. */
export interface WaitingDelivery {
  readonly eventId: string;
  /** When its next attempt is planned, RFC 3339, by the clock; `null`: its first is under way, or one was requested. */
  readonly plannedAt: string | null;
}

export function waitingDeliveries(
  database: Database,
  operationId: string,
  limit: number,
): Promise<readonly WaitingDelivery[]> {
  return rowsOf<WaitingDelivery>(
    database,
    Prisma.sql`
      SELECT event_id AS "eventId", CASE WHEN request = '' AND attempts > 0 THEN (
        SELECT next_attempt_at FROM webhook_delivery
        WHERE webhook_delivery.event_id = event_outbox.event_id ORDER BY id DESC LIMIT 1
      ) END AS "plannedAt"
      FROM event_outbox WHERE operation_id = ${operationId} ORDER BY 2 NULLS FIRST, 1 LIMIT ${limit}`,
  );
}

/** Nobody but the delivery's workflow, or `makeAttemptDue`, makes the planned attempts while the clock stands still. */
export async function suspendAttempts(database: Database, operationId: string): Promise<void> {
  await rowsOf(
    database,
    Prisma.sql`
      UPDATE event_outbox SET due_at = 'infinity'
      WHERE operation_id = ${operationId} AND request = '' AND attempts > 0`,
  );
}

/** The attempt of an event whose delivery workflow is lost: any process makes it now. */
export async function makeAttemptDue(database: Database, operationId: string, eventId: string): Promise<void> {
  await rowsOf(
    database,
    Prisma.sql`
      UPDATE event_outbox SET due_at = now()
      WHERE operation_id = ${operationId} AND event_id = ${eventId} AND request = '' AND attempts > 0`,
  );
}

/** The clock runs again: planned attempts are due at their times by it. */
export async function resumeAttempts(database: Database, operationId: string, clock: OperationClock): Promise<void> {
  await rowsOf(
    database,
    Prisma.sql`
      UPDATE event_outbox SET due_at = greatest(planned.at - ${clock.offsetMs}::bigint * interval '1 millisecond', now())
        + (attempt_left_until(0) - now())
      FROM (
        SELECT DISTINCT ON (event_id) event_id, next_attempt_at AS at FROM webhook_delivery
        WHERE event_id IN (SELECT event_id FROM event_outbox WHERE operation_id = ${operationId})
        ORDER BY event_id, id DESC
      ) AS planned
      WHERE event_outbox.operation_id = ${operationId} AND request = '' AND attempts > 0
        AND planned.event_id = event_outbox.event_id AND planned.at IS NOT NULL`,
  );
}
