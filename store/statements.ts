// Statements of hot paths, run by the driver itself: an ORM's work on a statement and its rows costs several times the
// statement. Values have the form that the domain keeps them in, so that nothing is parsed only to be written again:
// amounts are bigint, also those in JSON (domain/money.ts), sequences text, times RFC 3339 text in UTC, bytes a Buffer.
// A statement that is long stands whole in a `.sql` file beside its caller, with named parameters: `WHERE id = :id`.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { readJson } from '../domain/money.js';
import { Prisma } from '../prisma/generated/client.js';
import { type Database, poolOf } from './database.js';
import { DatabaseUnreachableError } from './errors.js';

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

/** A statement with its values, as the driver takes it. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** JSON is passed as its text: the driver makes arrays of PostgreSQL of JavaScript's. */
type Parameter = string | number | bigint | boolean | null | Uint8Array | readonly string[] | readonly Uint8Array[];

/** A name in lower case after one colon: neither a cast (`::text`) nor part of a format (`HH24:MI`). */
const PARAMETER = /(?<![:\w]):([a-z]\w*)/g;

/**
 * The statement of a file, which is read once, when the process starts. It takes a value for each parameter that the
 * file names, and throws a TypeError if one is missing or is not in the file.
 * @param path below `store/`
 */
export function sqlFile(path: string): (parameters: Readonly<Record<string, Parameter>>) => Statement {
  const { text, names } = parseSql(readFileSync(join(import.meta.dirname, path), 'utf8'));
  return (parameters) => {
    const values = names.map((name) => parameters[name]);
    if (values.includes(undefined) || Object.keys(parameters).length !== names.length)
      throw new TypeError(`${path} takes ${names.join(', ')}; given were ${Object.keys(parameters).join(', ')}`);
    return { text, values };
  };
}

/** The text as PostgreSQL takes it, without comments, and the names of its parameters in order. */
export function parseSql(sql: string): { readonly text: string; readonly names: readonly string[] } {
  const names: string[] = [];
  const text = sql
    .replace(/^ *--.*\n/gm, '')
    .trim()
    .replace(PARAMETER, (_, name: string) => {
      if (!names.includes(name)) names.push(name);
      return `$${names.indexOf(name) + 1}`;
    });
  return { text, names };
}

/**
 * A read that runs in the same query as the request's authentication: one round trip to Postgres instead of two, a good
 * part of what a small read costs. It reads rows of the authenticated operation, and none if authentication fails.
 */
export interface AuthenticatedRead {
  /** The statement. Its rows have an `id`, and no column `authentication`. */
  readonly of: (operationId: Prisma.Sql) => Prisma.Sql;
  readonly planning: Planning;
}

/** The rows of a read: those `found` during authentication, otherwise read now. */
export async function rowsOfRead<Row extends object>(
  database: Database,
  operationId: string,
  { of, planning }: AuthenticatedRead,
  found?: readonly object[],
): Promise<readonly Row[]> {
  return (
    (found as readonly Row[] | undefined) ?? (await rowsOf<Row>(database, of(Prisma.sql`${operationId}`), planning))
  );
}
