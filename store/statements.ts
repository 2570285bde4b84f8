// Runs the statements of hot paths by the driver itself: an ORM's work on a statement and its rows costs several times
// the statement. Values have the form that the domain keeps them in, so that nothing is parsed only to be written
// again: amounts are bigint, also those in JSON (domain/money.ts), sequences text, times RFC 3339 text in UTC, bytes a
// Buffer.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { readJson } from '../domain/money.js';
import { type Database, poolOf } from './database.js';
import type { Statement } from './sql-file.js';

/**
 * `once` prepares the statement under a name, so that Postgres may reuse one plan for all values. `for_its_values`
 * plans it each time, because its best plan depends on its values.
 */
export type Planning = 'once' | 'for_its_values';

/** The rows of a statement, their columns named as it names them. */
export async function rowsOf<Row extends object>(
  database: Database,
  statement: Statement,
  planning: Planning = 'once',
): Promise<Row[]> {
  const { text, values } = statement;
  const pool = poolOf(database);
  try {
    const { rows } = await pool.query<Row>({
      text,
      values,
      types: TYPES,
      ...(planning === 'once' ? { name: nameOf(text) } : {}),
    });
    return rows;
  } catch (error) {
    throw isAnswer(error) ? error : new DatabaseUnreachableError(error);
  }
}

/** Postgres gave no answer: no connection, or one that ended. The statement may have been executed. */
export class DatabaseUnreachableError extends Error {
  override readonly name = 'DatabaseUnreachableError';
  constructor(cause: unknown) {
    super('Postgres gave no answer', { cause });
  }
}

/**
 * Whether Postgres answered with an error, or with something we cannot read. Everything else is a lost connection, for
 * which the driver has no error class.
 */
function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError || error instanceof RangeError || error instanceof TypeError;
}

/** The row of a statement that returns at most one. */
export async function rowOf<Row extends object>(
  database: Database,
  statement: Statement,
  planning: Planning = 'once',
): Promise<Row | null> {
  return (await rowsOf<Row>(database, statement, planning))[0] ?? null;
}

/** Bounded: the code has a fixed number of statement texts. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = createHash('sha1').update(text).digest('base64url')));
  return name;
}

/** The types that the driver would read otherwise: times as Dates, amounts as text, JSON with amounts as text. */
const READERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.TIMESTAMPTZ, rfc3339],
  [pg.types.builtins.NUMERIC, BigInt],
  [pg.types.builtins.JSON, readJson],
  [pg.types.builtins.JSONB, readJson],
]);

const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    ((format === 'binary' ? undefined : READERS.get(type)) ??
      (pg.types.getTypeParser(type, format) as unknown)) as never,
};

/**
 * `2026-11-21 09:30:00.25+00` → `2026-11-21T09:30:00.250Z`. Throws a RangeError for any text that is not a time in UTC.
 */
export function rfc3339(text: string): string {
  if (!text.endsWith('+00') || text.length < 22 || text.length > 26)
    throw new RangeError('a time was not written in UTC with milliseconds');
  const time = text.length === 22 ? `${text.slice(11, 19)}.000` : text.slice(11, -3).padEnd(12, '0');
  return `${text.slice(0, 10)}T${time}Z`;
}
