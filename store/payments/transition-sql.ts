// The parts that every transition's one SQL statement ends with: event, ledger entries, balances and alerts follow from
// the changed row, so either all of a transition is stored or nothing.
import type { EventEnvelope } from '../../contract/http/presenters/event.js';
import type { PublishedEvent, TransitionEffects } from '../../contract/temporal/transitions.js';
import { LEDGER_MOVEMENTS, postingsOf } from '../../domain/ledger.js';
import { Prisma } from '../../prisma/generated/client.js';
import { NEW_ALERT_ID } from '../alerts/alerts.js';
import type { Database } from '../database.js';
import { type SealedTarget, targetSql } from '../events/deliveries.js';
import type { FirstAttempts } from '../events/first-attempts.js';
import { heldOutboxSql, outboxSql } from '../events/outbox.js';
import { placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';

/** Where transitions store their events. */
export interface EventStore {
  readonly database: Database;
  readonly sealer: Sealer;
  /** Absent or `null` if this process delivers no webhooks: others take its events out of the outbox. */
  readonly firstAttempts?: FirstAttempts | null;
}

export interface TransitionContext {
  readonly operationId: string;
  readonly objectId: string;
  readonly currency: string;
  /** The account at the provider. */
  readonly provider: string;
  /** The time of the step, RFC 3339. */
  readonly at: string;
}

/**
 * CTE `locked`: the operation's counter, which every change locks before any other row: events commit in the order of
 * their numbers, and movements of one operation never deadlock. `changed_at` is the time of this change, for the row's
 * `updated_at`: a step that began before one which is stored already is changed after it.
 */
export function counterLockedSql(operationId: string, at: string): Prisma.Sql {
  return Prisma.sql`
    locked AS (
      SELECT ${changedAtSql(at)} AS changed_at FROM operation_counter WHERE operation_id = ${operationId} FOR UPDATE
    ),`;
}

/** The step's time, or a moment after the operation's last change. An expression over the locked `operation_counter`. */
export function changedAtSql(at: string): Prisma.Sql {
  return Prisma.sql`greatest(${at}::timestamptz, operation_counter.changed_at + interval '1 millisecond')`;
}

/**
 * CTEs that follow `locked` and a CTE `changed` with the written object's `version` and `updated_at` (no row if it was
 * not written).
 */
export function effectsSql(
  context: TransitionContext,
  effects: Omit<TransitionEffects, 'event'>,
  event: NewEvent | null,
): Prisma.Sql {
  return Prisma.sql`
    ${counterSql(context, event)},
    ${eventSql(context, event)}
    ${ledgerSql(context, effects)}
    ${alertsSql(context, effects)}`;
}

/** CTE `counter`: keeps the time of the change and takes the next event number, if there is an event. */
function counterSql({ operationId }: TransitionContext, event: NewEvent | null): Prisma.Sql {
  return Prisma.sql`
    counter AS (
      UPDATE operation_counter SET changed_at = changed.updated_at,
        event_sequence = operation_counter.event_sequence + ${event === null ? 0 : 1}
      FROM changed WHERE operation_counter.operation_id = ${operationId}
      RETURNING operation_counter.event_sequence
    )`;
}

/** The event has the time of its change: its body is dated with it when it is opened (store/events/bodies.ts). */
function eventSql({ operationId, objectId }: TransitionContext, event: NewEvent | null): Prisma.Sql {
  if (event === null) return Prisma.empty;
  const { id: eventId, held } = event;
  const outboxed = { eventId, operationId, objectId, stored: Prisma.sql`changed` };
  return Prisma.sql`
    published AS (
      INSERT INTO event (id, operation_id, sequence, type, object_id, object_version, body_sealed, created_at)
      SELECT ${event.id}, ${operationId}, counter.event_sequence, ${event.type}, ${objectId}, changed.version,
        ${event.body}::bytea, changed.updated_at
      FROM counter, changed
    ),
    ${held === null ? outboxSql(outboxed) : heldOutboxSql(outboxed, held)},`;
}

/** CTEs `banked`, `entries` and `balances`: a movement at the bank that is in the books already fails the statement. */
function ledgerSql(
  { operationId, objectId, currency, provider, at }: TransitionContext,
  { movements }: Pick<TransitionEffects, 'movements'>,
): Prisma.Sql {
  if (movements.length === 0) return Prisma.empty;
  const entries = movements.flatMap(({ name, amountMinor, step }) =>
    postingsOf(name, BigInt(amountMinor)).map((posting) => ({
      step,
      movement: name,
      account: posting.account,
      amount: posting.amountMinor.toString(),
    })),
  );
  return Prisma.sql`
    ${bankedSql({ operationId, objectId, currency, provider, at }, movements)}
    ${suspenseSql({ operationId, objectId, currency, provider, at }, movements)}
    entries AS (
      INSERT INTO ledger_entry (operation_id, provider, object_id, step, movement, currency, account, amount_minor,
        created_at)
      SELECT ${operationId}, ${provider}, ${objectId}, posting.step, posting.movement, ${currency}, posting.account,
        posting.amount, ${at}::timestamptz
      FROM counter, jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
        AS posting(step text, movement text, account text, amount numeric)
      RETURNING account, amount_minor
    ),
    balances AS (
      INSERT INTO ledger_account (operation_id, provider, currency, account, balance_minor)
      SELECT ${operationId}, ${provider}, ${currency}, account, sum(amount_minor) FROM entries
      GROUP BY account ORDER BY account
      ON CONFLICT (operation_id, provider, currency, account)
      DO UPDATE SET balance_minor = ledger_account.balance_minor + EXCLUDED.balance_minor
    ),`;
}

function bankedSql(
  { operationId, objectId, currency, provider, at }: TransitionContext,
  movements: TransitionEffects['movements'],
): Prisma.Sql {
  const rows = movements.flatMap(({ amountMinor, step, bank }) =>
    bank === null
      ? []
      : [
          {
            step,
            kind: bank.kind,
            bank_id: bank.bankId,
            part: bank.part,
            amount: amountMinor,
            settled_at: bank.settledAt,
            said_by: bank.saidBy,
          },
        ],
  );
  if (rows.length === 0) return Prisma.empty;
  return Prisma.sql`banked AS (
      INSERT INTO bank_movement (account, kind, bank_id, part, operation_id, object_id, step, currency, amount_minor,
        settled_at, said_by, recorded_at)
      SELECT ${provider}, bank.kind, bank.bank_id, bank.part, ${operationId}, ${objectId}, bank.step, ${currency},
        bank.amount, bank.settled_at, bank.said_by, ${at}::timestamptz
      FROM counter, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS bank(step text, kind text, bank_id text, part text, amount numeric, settled_at timestamptz, said_by text)
    ),`;
}

/** CTEs `items` and `item_entries`: money that comes into suspense is an item there, and leaves it by its entries. */
function suspenseSql(
  { operationId, objectId, currency, provider, at }: TransitionContext,
  movements: TransitionEffects['movements'],
): Prisma.Sql {
  const rows = movements.flatMap(({ name, amountMinor, step, bank, item }) =>
    item === undefined
      ? []
      : [
          {
            step,
            movement: name,
            item,
            amount: LEDGER_MOVEMENTS[name].to === 'suspense' ? amountMinor : `-${amountMinor}`,
            received_at: bank?.kind === 'received' ? bank.settledAt : null,
          },
        ],
  );
  if (rows.length === 0) return Prisma.empty;
  const given = JSON.stringify(rows);
  return Prisma.sql`
    items AS (
      INSERT INTO suspense_item (account, end_to_end_id, operation_id, object_id, currency, amount_minor, received_at,
        recorded_at)
      SELECT ${provider}, received.item, ${operationId}, ${objectId}, ${currency}, received.amount, received.received_at,
        ${at}::timestamptz
      FROM counter, jsonb_to_recordset(${given}::jsonb) AS received(item text, amount numeric, received_at timestamptz)
      WHERE received.received_at IS NOT NULL
    ),
    item_entries AS (
      INSERT INTO suspense_entry (object_id, step, movement, account, end_to_end_id, amount_minor)
      SELECT ${objectId}, entered.step, entered.movement, ${provider}, entered.item, entered.amount
      FROM counter, jsonb_to_recordset(${given}::jsonb)
        AS entered(step text, movement text, item text, amount numeric)
    ),`;
}

/** CTEs `alerted` and `resolved`. */
function alertsSql(
  { operationId, objectId, at }: TransitionContext,
  { alert, resolves }: Pick<TransitionEffects, 'alert' | 'resolves'>,
): Prisma.Sql {
  return Prisma.sql`
    alerted AS (
      INSERT INTO alert (id, operation_id, kind, object_id, detail, occasion, created_at)
      SELECT ${NEW_ALERT_ID}, ${operationId}, ${alert?.kind ?? ''}, ${objectId}, ${alert?.detail ?? ''},
        ${alert?.occasion ?? null}, ${at}::timestamptz
      FROM changed WHERE ${alert !== null}
      ON CONFLICT DO NOTHING
    ),
    resolved AS (
      UPDATE alert SET resolved_at = ${at}::timestamptz FROM changed
      WHERE alert.object_id = ${objectId} AND alert.resolved_at IS NULL AND alert.kind = ANY(${[...resolves]}::text[])
    )`;
}

/** An event to store, with its sealed body. */
export interface NewEvent extends PublishedEvent {
  readonly body: Uint8Array<ArrayBuffer>;
  /**
   * `null`: whoever takes it makes the first attempt to deliver it. Otherwise this process does, after those of these
   * events of the object.
   */
  readonly held: readonly string[] | null;
}

/** The event of a transition, to be stored with it; `null` if it publishes none. */
export function newEvent(
  { sealer, firstAttempts }: Pick<EventStore, 'sealer' | 'firstAttempts'>,
  object: Pick<TransitionContext, 'operationId' | 'objectId'>,
  event: PublishedEvent | null,
  envelope: (event: PublishedEvent) => EventEnvelope,
): NewEvent | null {
  if (event === null) return null;
  const place = placeOf('event.body_sealed', object.operationId, { id: event.id });
  const body = sealer.sealBytes(place, Buffer.from(JSON.stringify(envelope(event)), 'utf8'));
  return { ...event, body, held: firstAttempts?.takes(object) ?? null };
}

/** A column `target`: where the event goes, if this process makes the first attempt to deliver it. */
export function targetColumn(operationId: string, event: NewEvent | null): Prisma.Sql {
  if (event === null || event.held === null) return Prisma.empty;
  return Prisma.sql`, CASE WHEN (SELECT is_mine FROM mine) THEN ${targetSql(Prisma.sql`${operationId}`)} END AS target`;
}

/** Begins the first attempt to deliver an event that is stored, if it is this process's. */
export function beginAttempt(
  { firstAttempts }: Pick<EventStore, 'firstAttempts'>,
  { operationId, id: objectId, updatedAt }: { operationId: string; id: string; updatedAt: string },
  event: NewEvent | null,
  target: SealedTarget | null | undefined,
): void {
  if (event === null || !target) return;
  const { id: eventId, body } = event;
  firstAttempts?.begin({ eventId, operationId, objectId }, { target, body, createdAt: updatedAt });
}
