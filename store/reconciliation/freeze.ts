// Freezes closed days, in order and once, in one SQL statement: items in their canonical bytes, totals and digest. An entry
// that is stored only after its day was frozen is carried into the next day, so that every settlement is reported exactly once.
import { lastClosedDay, millisecondsUntilClosed } from '../../domain/reconciliation.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { isUniqueViolation } from '../unique-violation.js';

/** Days that one statement freezes: a book that was left alone for months is caught up in several. */
export const MOST_DAYS_PER_FREEZE = 31;

export interface Book {
  readonly operationId: string;
  readonly currency: string;
}

export type FreezeOutcome =
  /** `throughDay`: the last day that is frozen now (null: the book's first day is still to come). */
  | { readonly kind: 'frozen'; readonly days: number; readonly throughDay: string | null; readonly caughtUp: boolean }
  /** The day is not closed at `at`; nothing was frozen. */
  | { readonly kind: 'day_open' };

/**
 * Freezes the book's next days through `throughDay` (YYYY-MM-DD), at most MOST_DAYS_PER_FREEZE of them; call again while
 * not `caughtUp`. Days that are frozen already stay as they are. A book begins with its operation, or with its first
 * settlement. `at` is the clock that decides whether the day is closed.
 */
export async function freezeDays(
  database: Database,
  { operationId, currency }: Book,
  throughDay: string,
  at: Date,
): Promise<FreezeOutcome> {
  if (millisecondsUntilClosed(throughDay, at) > 0) return { kind: 'day_open' };
  try {
    const [row] = await database.$queryRaw<{ days: number; last: string | null }[]>(
      freezeSql({ operationId, currency }, throughDay, at),
    );
    const last = row?.last ?? null;
    return {
      kind: 'frozen',
      days: row?.days ?? 0,
      throughDay: last,
      caughtUp: row?.days === 0 || (last !== null && last >= throughDay),
    };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Somebody else froze these days in this very moment: theirs stand.
    return { kind: 'frozen', days: 0, throughDay: null, caughtUp: false };
  }
}

/** Books that have a closed day to freeze at that instant, by operation and currency, after the given one. */
export async function booksToFreeze(
  database: Database,
  currencies: readonly string[],
  at: Date,
  after: Book | null,
  limit: number,
): Promise<Book[]> {
  return database.$queryRaw<Book[]>(Prisma.sql`
    SELECT operation.id AS "operationId", currency.code AS currency
    FROM operation CROSS JOIN unnest(${[...currencies]}::text[]) AS currency (code)
    WHERE (operation.id, currency.code) > (${after?.operationId ?? ''}, ${after?.currency ?? ''})
      AND operation.created_at < (${lastClosedDay(at)}::date + 1)::timestamp AT TIME ZONE 'UTC'
      AND NOT EXISTS (SELECT FROM reconciliation_day AS day
                      WHERE day.operation_id = operation.id AND day.currency = currency.code AND day.date >= ${lastClosedDay(at)}::date)
    ORDER BY 1, 2 LIMIT ${limit}`);
}

/** What settles; the same words as the partial indexes on ledger_entry. */
const SETTLES = Prisma.sql`(
  (account = 'available' AND movement IN ('deposit_credited', 'deposit_released', 'deposit_refunded', 'deposit_charged_back', 'withdrawal_returned'))
  OR (account = 'pending_out' AND movement = 'withdrawal_paid'))`;

/** The kind of item that a movement makes, and the object's status right after it. */
const KINDS = Prisma.sql`(VALUES
  ('deposit_credited', 'deposit', 'paid'),
  ('deposit_released', 'deposit', 'paid'),
  ('deposit_refunded', 'refund', 'refunded'),
  ('deposit_charged_back', 'chargeback', 'chargeback'),
  ('withdrawal_paid', 'withdrawal', 'paid'),
  ('withdrawal_returned', 'return', 'returned')
) AS kinds (movement, kind, status)`;

/**
 * Entries of an operation are numbered under its counter's lock, so whatever commits after this statement's snapshot has a
 * number above `through_entry_id`: that is how the next freeze finds what came too late. A second freeze of the same days
 * at the same time violates a primary key and changes nothing.
 */
function freezeSql({ operationId, currency }: Book, throughDay: string, at: Date): Prisma.Sql {
  const mine = Prisma.sql`operation_id = ${operationId} AND currency = ${currency}`;
  return Prisma.sql`
    WITH last AS (
      SELECT date, through_entry_id FROM reconciliation_day WHERE ${mine} ORDER BY date DESC LIMIT 1
    ),
    beginning AS (
      SELECT least(
        (SELECT (created_at AT TIME ZONE 'UTC')::date FROM operation WHERE id = ${operationId}),
        (SELECT (min(created_at) AT TIME ZONE 'UTC')::date FROM ledger_entry WHERE ${mine} AND ${SETTLES})) AS date
      WHERE NOT EXISTS (SELECT FROM last)
    ),
    span AS (
      SELECT first, least(${throughDay}::date, first + ${MOST_DAYS_PER_FREEZE - 1}::int) AS final, seen
      FROM (SELECT coalesce((SELECT date + 1 FROM last), (SELECT date FROM beginning)) AS first, coalesce((SELECT through_entry_id FROM last), 0) AS seen) AS start
      WHERE first <= ${throughDay}::date
    ),
    entries AS (
      SELECT entry.id, entry.transfer_id, entry.movement, entry.amount_minor, entry.created_at, (entry.created_at AT TIME ZONE 'UTC')::date AS date
      FROM span, ledger_entry AS entry
      WHERE ${mine} AND ${SETTLES} AND created_at >= span.first::timestamp AT TIME ZONE 'UTC' AND created_at < (span.final + 1)::timestamp AT TIME ZONE 'UTC'
      UNION ALL
      SELECT entry.id, entry.transfer_id, entry.movement, entry.amount_minor, entry.created_at, span.first
      FROM span, ledger_entry AS entry
      WHERE ${mine} AND ${SETTLES} AND entry.id > span.seen AND created_at < span.first::timestamp AT TIME ZONE 'UTC'
    ),
    settled AS (
      SELECT entries.id, entries.date, entries.created_at, kinds.kind, kinds.status, abs(entries.amount_minor) AS amount,
        split_part(entries.transfer_id, ':', 1) AS object_id, coalesce(deposit.external_id, withdrawal.external_id, '') AS external_id,
        CASE WHEN kinds.kind = 'withdrawal' THEN withdrawal.fee_minor END AS fee
      FROM entries
      JOIN ${KINDS} ON kinds.movement = entries.movement
      LEFT JOIN deposit ON deposit.id = split_part(entries.transfer_id, ':', 1) AND deposit.operation_id = ${operationId}
      LEFT JOIN withdrawal ON withdrawal.id = split_part(entries.transfer_id, ':', 1) AND withdrawal.operation_id = ${operationId}
    ),
    listed AS (
      SELECT settled.*, ${bodySql(currency)} AS body,
        row_number() OVER (PARTITION BY date ORDER BY object_id COLLATE "C", kind COLLATE "C", id)::int AS position
      FROM settled
    ),
    items AS (
      INSERT INTO reconciliation_item (operation_id, currency, date, position, entry_id, body)
      SELECT ${operationId}, ${currency}, date, position, id, body FROM listed
    ),
    days AS (
      INSERT INTO reconciliation_day (operation_id, currency, date, item_count, carried_count, deposits_paid_minor, withdrawals_paid_minor,
        refunds_minor, chargebacks_minor, fees_minor, digest, through_entry_id, frozen_at)
      SELECT ${operationId}, ${currency}, day.date, count(listed.id)::int,
        count(*) FILTER (WHERE listed.created_at < day.date::timestamp AT TIME ZONE 'UTC')::int,
        coalesce(sum(amount) FILTER (WHERE kind = 'deposit'), 0), coalesce(sum(amount) FILTER (WHERE kind = 'withdrawal'), 0),
        coalesce(sum(amount) FILTER (WHERE kind = 'refund'), 0), coalesce(sum(amount) FILTER (WHERE kind = 'chargeback'), 0), coalesce(sum(fee), 0),
        encode(sha256(convert_to('[' || coalesce(string_agg(body, ',' ORDER BY position), '') || ']', 'UTF8')), 'hex'),
        coalesce((SELECT max(id) FROM ledger_entry WHERE ${mine} AND ${SETTLES}), 0), ${at.toISOString()}::timestamptz
      FROM span CROSS JOIN LATERAL (SELECT span.first + offset_days AS date FROM generate_series(0, span.final - span.first) AS offset_days) AS day
      LEFT JOIN listed ON listed.date = day.date
      GROUP BY day.date
      RETURNING date
    )
    SELECT count(*)::int AS days, coalesce(max(date), (SELECT date FROM last))::text AS last FROM days`;
}

/** The item as it is served, members in the order of RFC 8785. Its texts are ASCII, which Postgres and RFC 8785 escape alike. */
function bodySql(currency: string): Prisma.Sql {
  const money = (amount: Prisma.Sql) =>
    Prisma.sql`'{"amount":"' || (${amount})::text || '","currency":' || to_json(${currency}::text)::text || '}'`;
  return Prisma.sql`
    '{"amount":' || ${money(Prisma.sql`amount`)} || ',"external_id":' || to_json(external_id)::text
    || ',"fee":' || coalesce(${money(Prisma.sql`fee`)}, 'null') || ',"kind":"' || kind || '","object_id":' || to_json(object_id)::text
    || ',"settled_at":"' || to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","status":"' || status || '"}'`;
}
