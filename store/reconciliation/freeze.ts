// Freezes closed days, in order and once: items in their canonical bytes, totals and digest. The function freeze_days
// does it. An entry that is stored only after its day was frozen is carried into the next day, so that every settlement
// is reported exactly once.
import { lastClosedDay, millisecondsUntilClosed } from '../../domain/reconciliation.js';
import type { Database } from '../database.js';
import { isUniqueViolation } from '../errors.js';

/** An operation's settlements in one currency. */
export interface Book {
  readonly operationId: string;
  readonly currency: string;
}

export type FreezeOutcome =
  /** `throughDay`: the last day that is frozen now; null if the book's first day is still to come. */
  | { readonly kind: 'frozen'; readonly days: number; readonly throughDay: string | null; readonly caughtUp: boolean }
  /** The day is not closed, at `at` or by the database's clock; nothing was frozen. */
  | { readonly kind: 'day_open' };

/**
 * Freezes the book's next days through `throughDay` (YYYY-MM-DD), a month at most; call again while not `caughtUp`.
 * Days that are frozen already stay as they are. A book begins with its operation, or with its first settlement.
 */
export async function freezeDays(
  database: Database,
  { operationId, currency }: Book,
  throughDay: string,
  at: Date,
): Promise<FreezeOutcome> {
  if (millisecondsUntilClosed(throughDay, at) > 0) return { kind: 'day_open' };
  try {
    const [row] = await database.$queryRaw<{ days: number | null; last: string | null }[]>`
      SELECT days, last FROM freeze_days(${operationId}, ${currency}, ${throughDay}::date)`;
    if (row === undefined || row.days === null) return { kind: 'day_open' };
    const { days, last } = row;
    return { kind: 'frozen', days, throughDay: last, caughtUp: days === 0 || (last !== null && last >= throughDay) };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Another transaction has just frozen these days.
    return { kind: 'frozen', days: 0, throughDay: null, caughtUp: false };
  }
}

/**
 * Books with a closed day to freeze at that instant, by operation and currency, after the given one. Those of an
 * operation with a clock of its own are frozen when it is advanced, or by the first read.
 */
export async function booksToFreeze(
  database: Database,
  currencies: readonly string[],
  at: Date,
  after: Book | null,
  limit: number,
): Promise<Book[]> {
  const lastDay = lastClosedDay(at);
  return database.$queryRaw<Book[]>`
    SELECT operation.id AS "operationId", currency.code AS currency
    FROM operation CROSS JOIN unnest(${[...currencies]}::text[]) AS currency (code)
    WHERE (operation.id, currency.code) > (${after?.operationId ?? ''}, ${after?.currency ?? ''})
      AND operation.clock IS NULL AND operation.created_at < (${lastDay}::date + 1)::timestamp AT TIME ZONE 'UTC'
      AND NOT EXISTS (
        SELECT FROM reconciliation_day AS day
        WHERE day.operation_id = operation.id AND day.currency = currency.code AND day.date >= ${lastDay}::date
      )
    ORDER BY 1, 2 LIMIT ${limit}`;
}
