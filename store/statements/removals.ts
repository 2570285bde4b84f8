// Days of statements that were taken back. Nothing is removed: lines and comparisons count until their day is taken
// back, so each knows how often it was before.
import type { ImportedLines, OfDay } from '../../domain/statements.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { CashMovementPeople } from '../ledger/cash-movements.js';
import type { Transaction } from '../transactions.js';

/**
 * A row of `table` that counts: its day was not taken back after it. Asked of each row, so that Postgres reads them in
 * the order of an index where few are wanted.
 */
export function standingSql(table: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${table}.removals >= coalesce((
    SELECT max(number) FROM statement_removal AS removal
    WHERE removal.provider = ${table}.provider AND removal.day = ${table}.day
  ), 0)`;
}

const LINE = Prisma.sql`statement_line`;

/** Holds up other imports and removals of the account: a line's id counts once, over all its days. */
export async function lockStatements(transaction: Transaction, { provider }: Pick<OfDay, 'provider'>): Promise<void> {
  await transaction.$executeRaw`SELECT lock_statements(${provider})`;
}

/** How often the day was taken back. */
export function removalsOf(transaction: Pick<Transaction, 'statementRemoval'>, of: OfDay): Promise<number> {
  return transaction.statementRemoval.count({ where: { provider: of.provider, day: new Date(of.day) } });
}

/** The lines of the day that count, and a digest of them, by which a later person recognises them. */
export async function importedLines(
  transaction: Pick<Transaction, '$queryRaw'>,
  { provider, day }: OfDay,
): Promise<ImportedLines> {
  const [row] = await transaction.$queryRaw<ImportedLines[]>`
    SELECT count(*)::int AS lines, encode(sha256(convert_to(coalesce(string_agg(
        concat_ws(',', line_id, kind, amount_minor, extract(epoch FROM settled_at), end_to_end_id, return_id),
        ';' ORDER BY line_id
      ), ''), 'UTF8')), 'hex') AS digest
    FROM statement_line WHERE provider = ${provider} AND day = ${day}::date AND ${standingSql(LINE)}`;
  if (row === undefined) throw new Error('a count without a row');
  return row;
}

/** Other lines are imported for the day than the person saw who asked for it: nothing changed. */
export interface StatementChanged {
  readonly kind: 'statement_changed';
}

export interface Removal extends OfDay, ImportedLines {
  readonly reason: string;
}

/** Whether the day's lines are not those that were seen. */
export async function statementChanged(
  transaction: Transaction,
  { lines, digest, ...of }: OfDay & ImportedLines,
): Promise<StatementChanged | null> {
  const now = await importedLines(transaction, of);
  return now.lines > 0 && now.lines === lines && now.digest === digest ? null : { kind: 'statement_changed' };
}

/** Takes the day back: its lines count no more. The caller compares again. */
export async function removeStatement(
  transaction: Transaction,
  { provider, day, lines, digest, reason }: Removal,
  { requestedBy, approval }: CashMovementPeople,
): Promise<StatementChanged | null> {
  await lockStatements(transaction, { provider });
  const refusal = await statementChanged(transaction, { provider, day, lines, digest });
  if (refusal !== null) return refusal;
  const number = (await removalsOf(transaction, { provider, day })) + 1;
  const people = { requestId: approval?.requestId, approvedBy: approval?.approvedBy, requestedBy };
  await transaction.statementRemoval.create({
    data: { provider, day: new Date(day), number, lineCount: lines, digest, reason, ...people },
  });
  return null;
}
