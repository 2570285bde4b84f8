// The one statement that freezes days. SQL, because choosing the days, listing their entries and storing items, totals
// and digest must see the same moment.
import type { LedgerAccount, LedgerMovement } from '../../domain/ledger.js';
import { FEE_SUFFIX } from '../../domain/provider-fees.js';
import { Prisma } from '../../prisma/generated/client.js';

/** Days that one statement freezes; a book that is months behind takes several. */
const MOST_DAYS_PER_FREEZE = 31;

/** An operation's settlements in one currency. */
export interface Book {
  readonly operationId: string;
  readonly currency: string;
}

interface Settlement {
  readonly movement: LedgerMovement;
  /** The account whose entry is the settlement. */
  readonly account: LedgerAccount;
  /** The kind of item that it makes. */
  readonly kind: string;
  /** The payment's state right after it; unknown for a fee alone. */
  readonly status: string;
}

/** The movements that settle, in the order of the partial indexes on `ledger_entry`. */
const SETTLEMENTS: readonly Settlement[] = [
  { movement: 'deposit_credited', account: 'available', kind: 'deposit', status: 'paid' },
  { movement: 'deposit_released', account: 'available', kind: 'deposit', status: 'paid' },
  { movement: 'deposit_refunded', account: 'available', kind: 'refund', status: 'refunded' },
  { movement: 'deposit_charged_back', account: 'available', kind: 'chargeback', status: 'chargeback' },
  { movement: 'withdrawal_returned', account: 'available', kind: 'return', status: 'returned' },
  { movement: 'fee_apart', account: 'available', kind: 'fee', status: 'charged' },
  { movement: 'withdrawal_paid', account: 'pending_out', kind: 'withdrawal', status: 'paid' },
];

/** Whether an entry settles; worded like the partial indexes, so that Postgres uses them. */
const SETTLES = Prisma.sql`(${settlesBy('available')} OR ${settlesBy('pending_out')})`;

function settlesBy(account: LedgerAccount): Prisma.Sql {
  const movements = SETTLEMENTS.filter((one) => one.account === account).map(({ movement }) => `'${movement}'`);
  return Prisma.raw(`(account = '${account}' AND movement IN (${movements.join(', ')}))`);
}

const KINDS = Prisma.raw(`(
        VALUES ${SETTLEMENTS.map(({ movement, kind, status }) => `('${movement}', '${kind}', '${status}')`).join(', ')}
      ) AS kinds (movement, kind, status)`);

/**
 * Entries of an operation are numbered under its counter's lock, so an entry that commits after this statement's
 * snapshot has a number above `through_entry_id`: that is how the next freeze finds the late ones. A second freeze of
 * the same days at the same time violates a primary key and changes nothing.
 */
export function freezeSql(book: Book, throughDay: string, at: Date): Prisma.Sql {
  const { operationId, currency } = book;
  return Prisma.sql`
    WITH ${spanSql(book, throughDay)},
    ${entriesSql(book)},
    ${settledSql(book)},
    listed AS (
      SELECT settled.*, ${bodySql(currency)} AS body,
        row_number() OVER (PARTITION BY date ORDER BY object_id COLLATE "C", kind COLLATE "C", id)::int AS position
      FROM settled
    ),
    items AS (
      INSERT INTO reconciliation_item (operation_id, currency, date, position, entry_id, body)
      SELECT ${operationId}, ${currency}, date, position, id, body FROM listed
    ),
    ${daysSql(book, at)}
    SELECT count(*)::int AS days, coalesce(max(date), (SELECT date FROM last))::text AS last FROM days`;
}

function ofBook({ operationId, currency }: Book): Prisma.Sql {
  return Prisma.sql`operation_id = ${operationId} AND currency = ${currency}`;
}

/** An expression: the first instant of a date in UTC. */
function startOf(date: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${date}::timestamp AT TIME ZONE 'UTC'`;
}

/**
 * CTEs `last`, the last frozen day; `beginning`, the book's first day if none is frozen; and `span`, the days to
 * freeze: from `first` through `final`, with the number of the last entry `seen`.
 */
function spanSql(book: Book, throughDay: string): Prisma.Sql {
  return Prisma.sql`
    last AS (
      SELECT date, through_entry_id FROM reconciliation_day WHERE ${ofBook(book)} ORDER BY date DESC LIMIT 1
    ),
    beginning AS (
      SELECT least(
        (SELECT (created_at AT TIME ZONE 'UTC')::date FROM operation WHERE id = ${book.operationId}),
        (SELECT (min(created_at) AT TIME ZONE 'UTC')::date FROM ledger_entry WHERE ${ofBook(book)} AND ${SETTLES})
      ) AS date
      WHERE NOT EXISTS (SELECT FROM last)
    ),
    span AS (
      SELECT first, least(${throughDay}::date, first + ${MOST_DAYS_PER_FREEZE - 1}::int) AS final, seen
      FROM (
        SELECT coalesce((SELECT date + 1 FROM last), (SELECT date FROM beginning)) AS first,
          coalesce((SELECT through_entry_id FROM last), 0) AS seen
      ) AS start
      WHERE first <= ${throughDay}::date
    )`;
}

/** CTE `entries`: the settlements of the days, and late ones of earlier days, which count on the first. */
function entriesSql(book: Book): Prisma.Sql {
  const columns = Prisma.sql`entry.id, entry.transfer_id, entry.movement, entry.amount_minor, entry.created_at`;
  const [first, afterFinal] = [startOf(Prisma.sql`span.first`), startOf(Prisma.sql`(span.final + 1)`)];
  return Prisma.sql`
    entries AS (
      SELECT ${columns}, (entry.created_at AT TIME ZONE 'UTC')::date AS date
      FROM span, ledger_entry AS entry
      WHERE ${ofBook(book)} AND ${SETTLES} AND created_at >= ${first} AND created_at < ${afterFinal}
      UNION ALL
      SELECT ${columns}, span.first
      FROM span, ledger_entry AS entry
      WHERE ${ofBook(book)} AND ${SETTLES} AND entry.id > span.seen AND created_at < ${first}
    )`;
}

/** CTE `settled`: the entries with their payments and fees. A transfer's id begins with its payment's. */
function settledSql({ operationId }: Book): Prisma.Sql {
  const objectId = Prisma.sql`split_part(entries.transfer_id, ':', 1)`;
  return Prisma.sql`
    settled AS (
      SELECT entries.id, entries.date, entries.created_at, kinds.kind, kinds.status,
        abs(entries.amount_minor) AS amount, ${objectId} AS object_id,
        coalesce(deposit.external_id, withdrawal.external_id, '') AS external_id,
        -fee.amount_minor AS fee
      FROM entries
      JOIN ${KINDS} ON kinds.movement = entries.movement
      LEFT JOIN ledger_entry AS fee
        ON fee.transfer_id = entries.transfer_id || ${FEE_SUFFIX} AND fee.account = 'available'
      LEFT JOIN deposit ON deposit.id = ${objectId} AND deposit.operation_id = ${operationId}
      LEFT JOIN withdrawal ON withdrawal.id = ${objectId} AND withdrawal.operation_id = ${operationId}
    )`;
}

/** CTE `days`: inserts a row for each day, also for one without items. */
function daysSql(book: Book, at: Date): Prisma.Sql {
  const { operationId, currency } = book;
  const total = (kind: string) => Prisma.raw(`coalesce(sum(amount) FILTER (WHERE kind = '${kind}'), 0)`);
  return Prisma.sql`
    days AS (
      INSERT INTO reconciliation_day (operation_id, currency, date, item_count, carried_count, deposits_paid_minor,
        withdrawals_paid_minor, refunds_minor, chargebacks_minor, fees_minor, digest, through_entry_id, frozen_at)
      SELECT ${operationId}, ${currency}, day.date, count(listed.id)::int,
        count(*) FILTER (WHERE listed.created_at < ${startOf(Prisma.sql`day.date`)})::int,
        ${total('deposit')}, ${total('withdrawal')}, ${total('refund')}, ${total('chargeback')},
        coalesce(sum(fee), 0) + ${total('fee')},
        encode(
          sha256(convert_to('[' || coalesce(string_agg(body, ',' ORDER BY position), '') || ']', 'UTF8')),
          'hex'
        ),
        coalesce((SELECT max(id) FROM ledger_entry WHERE ${ofBook(book)} AND ${SETTLES}), 0),
        ${at.toISOString()}::timestamptz
      FROM span
      CROSS JOIN LATERAL (
        SELECT span.first + offset_days AS date FROM generate_series(0, span.final - span.first) AS offset_days
      ) AS day
      LEFT JOIN listed ON listed.date = day.date
      GROUP BY day.date
      RETURNING date
    )`;
}

/**
 * An expression: the item as it is served, its members in the order of RFC 8785. Its texts are ASCII, which Postgres
 * and RFC 8785 escape alike.
 */
function bodySql(currency: string): Prisma.Sql {
  const money = (amount: Prisma.Sql) =>
    Prisma.sql`'{"amount":"' || (${amount})::text || '","currency":' || to_json(${currency}::text)::text || '}'`;
  const settledAt = Prisma.sql`to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return Prisma.sql`
        '{"amount":' || ${money(Prisma.sql`amount`)}
        || ',"external_id":' || to_json(external_id)::text
        || ',"fee":' || coalesce(${money(Prisma.sql`fee`)}, 'null')
        || ',"kind":"' || kind
        || '","object_id":' || to_json(object_id)::text
        || ',"settled_at":"' || ${settledAt}
        || '","status":"' || status || '"}'`;
}
