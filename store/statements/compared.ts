// What is compared: the lines of a provider's statement and the movements in the books that may mean each other,
// whatever their days. SQL, because they are found by several names.
import type { BankMovementKind } from '../../domain/bank-movements.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import {
  type BookedMovement,
  type DatedLine,
  type ImportedDays,
  unmatchedOf,
  type UnmatchedMovement,
} from '../../domain/statement-matching.js';
import { STATEMENT_KINDS, STATEMENT_TIME_ZONE } from '../../domain/statements.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Transaction } from '../transactions.js';
import { standingSql } from './removals.js';

/** What may have changed since the last comparison: a day's statement, or what the books have learned since. */
export type Changed = { readonly day: string } | { readonly since: string };

const STANDING_LINE = standingSql(Prisma.sql`statement_line`);

/** The first and the last day of which the account has lines. */
export async function importedDays(transaction: Pick<Transaction, '$queryRaw'>, provider: AccountName) {
  const at = (order: Prisma.Sql) => transaction.$queryRaw<{ day: string }[]>`
    SELECT day::text FROM statement_line WHERE provider = ${provider} AND ${STANDING_LINE} ORDER BY day ${order} LIMIT 1`;
  const [[first], [last]] = [await at(Prisma.sql`ASC`), await at(Prisma.sql`DESC`)];
  return first === undefined || last === undefined
    ? null
    : ({ first: first.day, last: last.day } satisfies ImportedDays);
}

/**
 * What does not match, of everything that the change touches and of every open item. What of these is not in it
 * matches now.
 */
export async function compare(
  transaction: Transaction,
  provider: AccountName,
  changed: Changed,
  imported: ImportedDays,
): Promise<readonly UnmatchedMovement[]> {
  if (imported === null) return [];
  const named = namedSql(provider, changed);
  const lines = await transaction.$queryRaw<LineRow[]>`WITH ${named} SELECT * FROM line`;
  const movements = await transaction.$queryRaw<MovementRow[]>`WITH ${named} ${movementsSql(provider)}`;
  return unmatchedOf(lines.map(lineOf), movements.map(movementOf), imported);
}

/** CTEs: the names that may have changed, the lines of these names, and all names of these lines. */
function namedSql(provider: string, changed: Changed): Prisma.Sql {
  return Prisma.sql`
    touched AS MATERIALIZED (
      -- Also of a day that was taken back: what its lines matched is open again.
      SELECT unnest(array_remove(ARRAY[line_id, end_to_end_id, return_id], NULL)) AS name FROM statement_line
      WHERE provider = ${provider} AND ${'day' in changed ? Prisma.sql`day = ${changed.day}::date` : Prisma.sql`FALSE`}
      UNION
      SELECT unnest(array_remove(ARRAY[coalesce(document, bank_id), nullif(part, ''), CASE WHEN part <> '' THEN (
        SELECT max(return_id) FROM return_id WHERE deposit_id = object_id AND reference = part
      ) END], NULL))
      FROM bank_movement LEFT JOIN cash_movement ON cash_movement.id = object_id
      WHERE account = ${provider} AND ${touchedMovementsSql(provider, changed)}
      UNION
      SELECT unnest(array_remove(ARRAY[reference, return_id, line_id], NULL)) FROM statement_item
      WHERE provider = ${provider} AND closed_at IS NULL
    ),
    named AS MATERIALIZED (
      SELECT name FROM touched
      UNION
      SELECT unnest(array_remove(ARRAY[line_id, end_to_end_id, return_id], NULL))
      FROM (${linesSql(provider, Prisma.sql`touched`)}) AS line
    ),
    line AS MATERIALIZED (${linesSql(provider, Prisma.sql`named`)})`;
}

/**
 * The movements whose lines may be missing: of the day and of the days beside it without a statement, with the hours
 * at the edge; or those that the books have learned of.
 */
function touchedMovementsSql(provider: string, changed: Changed): Prisma.Sql {
  if ('since' in changed) return Prisma.sql`recorded_at >= ${changed.since}::timestamptz`;
  const beside = (order: Prisma.Sql, side: Prisma.Sql) => Prisma.sql`(
    SELECT day FROM statement_line WHERE provider = ${provider} AND day ${side} ${changed.day}::date AND ${STANDING_LINE}
    ORDER BY day ${order} LIMIT 1)`;
  const from = Prisma.sql`coalesce(${beside(Prisma.sql`DESC`, Prisma.sql`<`)} + 1, ${changed.day}::date)`;
  const to = Prisma.sql`coalesce(${beside(Prisma.sql`ASC`, Prisma.sql`>`)}, ${changed.day}::date + 1)`;
  return Prisma.sql`settled_at >= ${from}::timestamp AT TIME ZONE ${STATEMENT_TIME_ZONE} - interval '1 hour'
    AND settled_at < ${to}::timestamp AT TIME ZONE ${STATEMENT_TIME_ZONE} + interval '1 hour'`;
}

function linesSql(provider: string, names: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT line.line_id, line.day, line.kind, line.end_to_end_id, line.return_id, line.amount_minor, line.settled_at
    FROM statement_line AS line JOIN (
      SELECT line_id, day, removals FROM ${names} JOIN statement_line ON line_id = name WHERE provider = ${provider}
      UNION
      SELECT line_id, day, removals FROM ${names} JOIN statement_line ON end_to_end_id = name
      WHERE provider = ${provider}
      UNION
      SELECT line_id, day, removals FROM ${names} JOIN statement_line ON return_id = name WHERE provider = ${provider}
    ) AS found USING (line_id, day, removals)
    WHERE line.provider = ${provider} AND ${standingSql(Prisma.sql`line`)}`;
}

/** The movements of these names. */
function movementsSql(provider: string): Prisma.Sql {
  return Prisma.sql`,
    meant AS MATERIALIZED (
      SELECT name FROM named
      UNION SELECT unnest(array_remove(ARRAY[line_id, end_to_end_id, return_id], NULL)) FROM line
    ),
    booked AS (
      SELECT bank_movement.*, NULL AS document FROM meant JOIN bank_movement ON bank_id = name
      WHERE account = ${provider} AND bank_movement.kind = ANY(${STATEMENT_KINDS}::text[])
        AND NOT EXISTS (SELECT FROM cash_movement WHERE cash_movement.id = object_id)
      UNION
      SELECT bank_movement.*, NULL FROM meant JOIN bank_movement ON part = name AND part <> ''
      WHERE account = ${provider}
      UNION
      SELECT bank_movement.*, NULL FROM meant JOIN return_id ON return_id.return_id = name
      JOIN bank_movement ON object_id = deposit_id AND part = reference WHERE account = ${provider}
      UNION
      SELECT bank_movement.*, document FROM meant JOIN cash_movement ON document = name
      JOIN bank_movement ON object_id = cash_movement.id WHERE account = ${provider}
    )
    SELECT kind, bank_id, part, document, booked.operation_id, object_id, amount_minor::text, settled_at, (
        SELECT max(return_id) FROM return_id WHERE deposit_id = object_id AND reference = part
      ) AS return_id
    FROM booked`;
}

interface LineRow {
  readonly line_id: string;
  readonly day: Date;
  readonly kind: BankMovementKind;
  readonly end_to_end_id: string | null;
  readonly return_id: string | null;
  readonly amount_minor: Prisma.Decimal;
  readonly settled_at: Date;
}

function lineOf(row: LineRow): DatedLine {
  return {
    id: row.line_id,
    day: row.day.toISOString().slice(0, 10),
    kind: row.kind,
    endToEndId: row.end_to_end_id,
    returnId: row.return_id,
    amountMinor: BigInt(row.amount_minor.toFixed(0)),
    settledAt: row.settled_at.toISOString(),
  };
}

interface MovementRow {
  readonly kind: BankMovementKind;
  readonly bank_id: string;
  readonly part: string;
  readonly document: string | null;
  readonly operation_id: string;
  readonly object_id: string;
  readonly amount_minor: string;
  readonly settled_at: Date;
  readonly return_id: string | null;
}

function movementOf(row: MovementRow): BookedMovement {
  return {
    kind: row.kind,
    bankId: row.bank_id,
    part: row.part,
    document: row.document,
    returnId: row.return_id,
    amountMinor: BigInt(row.amount_minor),
    settledAt: row.settled_at.toISOString(),
    operationId: row.operation_id,
    subject: row.object_id,
  };
}
