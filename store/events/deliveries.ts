// Webhook deliveries: what to deliver and where, and the log of attempts with what follows from each.
import { DELIVERY_PAUSES_SECONDS } from '../../contract/temporal/webhook-delivery.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { openWebhookSecret } from '../operations/webhook-secrets.js';
import { placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';
import { rowOf, sqlFile, type Statement } from '../statements.js';
import { datedBody } from './bodies.js';

const LOG_ACCEPTED = sqlFile('events/log-accepted.sql');
const LOG_FAILED = sqlFile('events/log-failed.sql');
const LOG_REQUESTED = sqlFile('events/log-requested.sql');

/** An event with its target. */
export interface Delivery {
  /** `null` if the operation has no webhook URL. */
  readonly url: string | null;
  readonly body: Buffer;
  /** The valid secrets, newest first. */
  readonly secrets: readonly string[];
  readonly createdAt: Date;
}

/** Where an operation's events go, as `delivery_target` answers it: the secrets are sealed, in base64, with their ids. */
export interface SealedTarget {
  readonly url: string | null;
  /** The operation's clock; null: real time. */
  readonly clock?: OperationClock | null;
  readonly secrets: readonly { readonly id: string; readonly sealed: string }[];
}

/** An event with its target, sealed. */
export interface SealedDelivery {
  readonly target: SealedTarget;
  readonly body: Uint8Array;
  /** RFC 3339. */
  readonly createdAt: string;
}

/** An attempt that an event's schedule makes. */
export interface ScheduledAttempt {
  readonly eventId: string;
  readonly operationId: string;
  /** Its number in the schedule, from 1. */
  readonly attempt: number;
}

/** An attempt of an event's schedule that is to come. */
export interface AwaitedAttempt {
  /** Whether the event's next attempt has this number. */
  readonly isAwaited: boolean;
  /** When it is planned, RFC 3339, by the operation's clock; `null` if that is not known. */
  readonly nextAt: string | null;
  /** The operation's clock; `null`: real time. */
  readonly clock: OperationClock | null;
}

/** The event's attempt of this number; `null` if the operation has no such event. */
export function awaitedAttempt(
  database: Database,
  { eventId, operationId, attempt }: ScheduledAttempt,
): Promise<AwaitedAttempt | null> {
  return rowOf<AwaitedAttempt>(
    database,
    Prisma.sql`
      SELECT EXISTS (
        SELECT FROM event_outbox WHERE event_id = event.id AND request = '' AND attempts = ${attempt - 1}::int
      ) AS "isAwaited",
      (SELECT clock FROM operation WHERE id = ${operationId}) AS clock,
      (SELECT next_attempt_at FROM webhook_delivery WHERE event_id = event.id ORDER BY id DESC LIMIT 1) AS "nextAt"
      FROM event WHERE id = ${eventId} AND operation_id = ${operationId}`,
  );
}

/**
 * Reads event, target and secrets, and keeps every process from taking the event meanwhile: in one SQL statement,
 * because each delivery does. `null` if the operation has no such event.
 */
export async function claimDelivery(
  database: Database,
  { eventId, operationId, attempt }: ScheduledAttempt,
): Promise<SealedDelivery | 'not_due' | null> {
  const row = await rowOf<SealedDelivery & { readonly isDue: boolean }>(
    database,
    Prisma.sql`
      WITH claimed AS (
        UPDATE event_outbox SET due_at = attempt_left_until(0)
        WHERE event_id = ${eventId} AND operation_id = ${operationId} AND request = '' AND attempts = ${attempt - 1}::int
        RETURNING event_id
      )
      SELECT body_sealed AS body, created_at AS "createdAt", delivery_target(${operationId}) AS target,
        EXISTS (SELECT FROM claimed) AS "isDue"
      FROM event WHERE id = ${eventId} AND operation_id = ${operationId}`,
  );
  if (row === null) return null;
  const { isDue, ...delivery } = row;
  return isDue ? delivery : 'not_due';
}

/** Opens the delivery of an event. */
export function openDelivery(
  sealer: Sealer,
  { eventId, operationId }: { readonly eventId: string; readonly operationId: string },
  { target, body, createdAt }: SealedDelivery,
): Delivery {
  const secrets = target.secrets.map(({ id, sealed }) =>
    openWebhookSecret(sealer, operationId, { id, sealed: Buffer.from(sealed, 'base64') }),
  );
  const place = placeOf('event.body_sealed', operationId, { id: eventId });
  const opened = datedBody(sealer.openBytes(place, body), createdAt);
  return { url: target.url, body: opened, createdAt: new Date(createdAt), secrets };
}

export interface LoggedAttempt {
  readonly operationId: string;
  readonly eventId: string;
  readonly sentAt: Date;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

export interface NewDeliveryAttempt extends LoggedAttempt {
  /** Empty if the event's schedule made it. */
  readonly request: string;
  /** Its number in the event's schedule; 1 for a requested one, after which the schedule begins. */
  readonly attempt: number;
  readonly isAccepted: boolean;
  /** To the next attempt of the schedule; `null` after the last. */
  readonly pauseSeconds: number | null;
}

/**
 * Logs an attempt and moves the event's row in the outbox, in one statement: accepted, its delivery is over; failed,
 * the next attempt is planned. The attempt's logged number counts all of the event's, redeliveries included.
 * @returns whether the schedule goes on from this attempt: not if it was accepted, or was a requested one beside it;
 * and when the next one is planned
 */
export async function storeDeliveryAttempt(
  database: Database,
  attempt: NewDeliveryAttempt,
): Promise<{ readonly isOpen: boolean; readonly nextAt?: string }> {
  const row = await rowOf<{ readonly isOpen: boolean; readonly nextAt: string | null }>(database, logOf(attempt));
  return { isOpen: row?.isOpen === true, ...(row?.nextAt == null ? {} : { nextAt: row.nextAt }) };
}

function logOf({ request, attempt, isAccepted, pauseSeconds, sentAt, ...logged }: NewDeliveryAttempt): Statement {
  const { operationId, eventId, responseStatus, error, durationMs } = logged;
  const entry = { operationId, eventId, responseStatus, error, durationMs, sentAt: sentAt.toISOString() };
  if (isAccepted) return LOG_ACCEPTED({ ...entry, request });
  if (request === '') return LOG_FAILED({ ...entry, attempt, pauseSeconds });
  return LOG_REQUESTED({ ...entry, request, attempt, pauseSeconds, mostAttempts: DELIVERY_PAUSES_SECONDS.length });
}

/** A logged attempt with its event. */
export interface DeliveryAttempt extends LoggedAttempt {
  readonly id: bigint;
  readonly nextAttemptAt: Date | null;
  readonly type: string;
  readonly objectId: string;
  readonly attempt: number;
}

export interface DeliveryFilter {
  readonly operationId: string;
  readonly eventId: string | undefined;
  /** Only attempts that the endpoint did not accept. */
  readonly onlyFailed?: boolean;
  /** The last attempt of the page before. */
  readonly beforeId: bigint | undefined;
  readonly limit: number;
}

/**
 * A page of the operation's delivery attempts, newest first. SQL, because the condition on failed attempts must be the
 * one of their index.
 */
export async function readDeliveries(
  database: Database,
  { operationId, eventId, onlyFailed = false, beforeId, limit }: DeliveryFilter,
): Promise<{ attempts: readonly DeliveryAttempt[]; hasMore: boolean }> {
  const rows = await database.$queryRaw<DeliveryAttempt[]>`
    SELECT delivery.id, delivery.operation_id AS "operationId", delivery.event_id AS "eventId", event.type,
      event.object_id AS "objectId", delivery.attempt, delivery.sent_at AS "sentAt",
      delivery.response_status AS "responseStatus", delivery.error, delivery.duration_ms AS "durationMs",
      delivery.next_attempt_at AS "nextAttemptAt"
    FROM webhook_delivery AS delivery JOIN event ON event.id = delivery.event_id
    WHERE delivery.operation_id = ${operationId}
      ${eventId === undefined ? Prisma.empty : Prisma.sql`AND delivery.event_id = ${eventId}`}
      ${beforeId === undefined ? Prisma.empty : Prisma.sql`AND delivery.id < ${beforeId}`}
      ${onlyFailed ? NOT_ACCEPTED : Prisma.empty}
    ORDER BY delivery.id DESC LIMIT ${limit + 1}`;
  return { attempts: rows.slice(0, limit), hasMore: rows.length > limit };
}

const NOT_ACCEPTED = Prisma.sql`
  AND (delivery.response_status IS NULL OR delivery.response_status NOT BETWEEN 200 AND 299)`;

/** The last attempt to deliver an event, redeliveries included; null before the first. */
export async function lastAttempt(
  database: Database,
  { operationId, eventId }: { readonly operationId: string; readonly eventId: string },
): Promise<{ readonly id: string; readonly isAccepted: boolean; readonly isRepeated: boolean } | 'no_event' | null> {
  if ((await database.event.count({ where: { id: eventId, operationId } })) === 0) return 'no_event';
  const last = await database.webhookDelivery.findFirst({ where: { eventId }, orderBy: { id: 'desc' } });
  if (last === null) return null;
  const { id, responseStatus: status, nextAttemptAt } = last;
  return {
    id: id.toString(),
    isAccepted: status !== null && status >= 200 && status <= 299,
    isRepeated: nextAttemptAt !== null,
  };
}
