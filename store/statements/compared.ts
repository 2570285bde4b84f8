// What is compared: the lines of a provider's statement and the movements in the books that may mean each other,
// whatever their days. They are found by their names, step by step: each statement reads as much as has these names,
// however large the tables are.
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

const LINE = Prisma.sql`statement_line`;

type Reading = Pick<Transaction, '$queryRaw'>;

/** The first and the last day of which the account has lines. */
export async function importedDays(transaction: Reading, provider: AccountName): Promise<ImportedDays> {
  const [row] = await transaction.$queryRaw<{ first: string | null; last: string | null }[]>`
    SELECT (
        SELECT day FROM statement_line WHERE provider = ${provider} AND ${standingSql(LINE)} ORDER BY day LIMIT 1
      )::text AS first, (
        SELECT day FROM statement_line WHERE provider = ${provider} AND ${standingSql(LINE)} ORDER BY day DESC LIMIT 1
      )::text AS last`;
  return row?.first == null || row.last === null ? null : { first: row.first, last: row.last };
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
  const touched = await touchedNames(transaction, provider, changed);
  // One payment has several names, and its lines and movements need not have the same ones.
  const first = await readLines(transaction, provider, [...touched]);
  const others = namesOf(first).filter((name) => !touched.has(name));
  const found = [...first, ...(await readLines(transaction, provider, others))];
  const lines = [...new Map(found.map((line) => [line.id, line])).values()];
  const movements = await readMovements(transaction, provider, [...new Set([...touched, ...namesOf(lines)])]);
  return unmatchedOf(lines, movements, imported);
}

function namesOf(lines: readonly DatedLine[]): readonly string[] {
  return lines.flatMap(({ id, endToEndId, returnId }) => [id, endToEndId, returnId].filter((name) => name !== null));
}

/**
 * The names that may have changed: of the lines of the day, also if it was taken back, since what its lines matched is
 * open again; of movements whose lines may be missing; and of open items.
 */
async function touchedNames(transaction: Reading, provider: string, changed: Changed): Promise<ReadonlySet<string>> {
  const day = 'day' in changed ? changed.day : null;
  const moved =
    'day' in changed
      ? await settledAround(transaction, provider, changed.day)
      : Prisma.sql`recorded_at >= ${changed.since}::timestamptz`;
  const rows = await transaction.$queryRaw<{ name: string }[]>`
    SELECT unnest(array_remove(ARRAY[line_id, end_to_end_id, return_id], NULL)) AS name FROM statement_line
    WHERE provider = ${provider} AND day = ${day}::date
    UNION
    SELECT unnest(array_remove(ARRAY[coalesce(document, bank_id), nullif(part, ''), CASE WHEN part <> '' THEN (
      SELECT max(return_id) FROM return_id WHERE deposit_id = object_id AND reference = part
    ) END], NULL))
    FROM bank_movement LEFT JOIN cash_movement ON cash_movement.id = object_id
    WHERE account = ${provider} AND ${moved}
    UNION
    SELECT unnest(array_remove(ARRAY[reference, return_id, line_id], NULL)) FROM statement_item
    WHERE provider = ${provider} AND closed_at IS NULL`;
  return new Set(rows.map(({ name }) => name));
}

/** Of the day and of the days beside it without a statement, with the hours at the edge. */
async function settledAround(transaction: Reading, provider: string, day: string): Promise<Prisma.Sql> {
  const [beside] = await transaction.$queryRaw<{ from: string; to: string }[]>`
    SELECT coalesce((
        SELECT day FROM statement_line WHERE provider = ${provider} AND day < ${day}::date AND ${standingSql(LINE)}
        ORDER BY day DESC LIMIT 1
      ) + 1, ${day}::date)::text AS from, coalesce((
        SELECT day FROM statement_line WHERE provider = ${provider} AND day > ${day}::date AND ${standingSql(LINE)}
        ORDER BY day LIMIT 1
      ), ${day}::date + 1)::text AS to`;
  return Prisma.sql`settled_at >= ${beside?.from}::timestamp AT TIME ZONE ${STATEMENT_TIME_ZONE} - interval '1 hour'
    AND settled_at < ${beside?.to}::timestamp AT TIME ZONE ${STATEMENT_TIME_ZONE} + interval '1 hour'`;
}

/** The lines with one of these names. */
async function readLines(
  transaction: Reading,
  provider: string,
  names: readonly string[],
): Promise<readonly DatedLine[]> {
  const rows = await transaction.$queryRaw<LineRow[]>`
    SELECT line_id, day, kind, end_to_end_id, return_id, amount_minor, settled_at FROM statement_line
    WHERE provider = ${provider}
      AND (line_id = ANY(${names}::text[]) OR end_to_end_id = ANY(${names}::text[]) OR return_id = ANY(${names}::text[]))
      AND ${standingSql(LINE)}`;
  return rows.map(lineOf);
}

/** The movements with one of these names. */
async function readMovements(
  transaction: Reading,
  provider: string,
  names: readonly string[],
): Promise<readonly BookedMovement[]> {
  const rows = await transaction.$queryRaw<MovementRow[]>`
    WITH booked AS (
      SELECT bank_movement.*, NULL AS document FROM bank_movement
      WHERE account = ${provider} AND kind = ANY(${STATEMENT_KINDS}::text[]) AND bank_id = ANY(${names}::text[])
        AND NOT EXISTS (SELECT FROM cash_movement WHERE cash_movement.id = object_id)
      UNION
      SELECT bank_movement.*, NULL FROM bank_movement
      WHERE account = ${provider} AND part = ANY(${names}::text[]) AND part <> ''
      UNION
      SELECT bank_movement.*, NULL FROM return_id JOIN bank_movement ON object_id = deposit_id AND part = reference
      WHERE account = ${provider} AND return_id = ANY(${names}::text[])
      UNION
      SELECT bank_movement.*, document FROM cash_movement JOIN bank_movement ON object_id = cash_movement.id
      WHERE account = ${provider} AND document = ANY(${names}::text[])
    )
    SELECT kind, bank_id, part, document, booked.operation_id, object_id, amount_minor::text, settled_at, (
        SELECT max(return_id) FROM return_id WHERE deposit_id = object_id AND reference = part
      ) AS return_id
    FROM booked`;
  return rows.map(movementOf);
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
