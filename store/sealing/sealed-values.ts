// All sealed columns: counts what each key has sealed, and seals values again with the current key, in batches. A run
// keeps no state: it skips values that are sealed with the current key, so an interrupted run just starts again. SQL,
// because one query serves every table.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { type Place, placeOfParts, SEALED_COLUMNS, type SealedColumnName } from './places.js';
import type { Sealer } from './sealer.js';

interface SealedColumn {
  readonly name: SealedColumnName;
  readonly table: string;
  readonly column: string;
  /** A unique key of the table, in order. */
  readonly key: readonly (readonly [name: string, type: 'text' | 'bytea'])[];
  readonly operation: string | null;
}

const COLUMNS = (Object.keys(SEALED_COLUMNS) as SealedColumnName[]).map((name): SealedColumn => {
  const [table = '', column = ''] = name.split('.');
  const { key, operation } = SEALED_COLUMNS[name];
  return { name, table, column, key: Object.entries(key), operation };
});

const identifier = (name: string) => Prisma.raw(`"${name}"`);
/** An expression: the key id of a sealed value (after the version, its length in one byte, then the id). */
const keyIdSql = (column: Prisma.Sql) =>
  Prisma.sql`convert_from(substring(${column} FROM 3 FOR get_byte(${column}, 1)), 'UTF8')`;

/** The number of values that each key has sealed, by key id and then by column. Reads whole tables. */
export async function countSealed(database: Database): Promise<Map<string, Record<string, number>>> {
  const counts = new Map<string, Record<string, number>>();
  for (const sealed of COLUMNS) {
    const column = identifier(sealed.column);
    const rows = await database.$queryRaw<{ key_id: string; number: bigint }[]>`
      SELECT ${keyIdSql(column)} AS key_id, count(*) AS number
      FROM ${identifier(sealed.table)} WHERE ${column} IS NOT NULL
      GROUP BY 1`;
    for (const { key_id, number } of rows) counts.set(key_id, { ...counts.get(key_id), [sealed.name]: Number(number) });
  }
  return counts;
}

export interface ResealProgress {
  readonly column: string;
  readonly resealed: number;
}

export interface ResealOptions {
  /** Rows of one transaction. */
  readonly batch?: number;
  readonly onProgress?: (progress: ResealProgress) => void;
  /** Called between batches: true ends the run early. */
  readonly isCancelled?: () => boolean;
}

const BATCH = 500;

/** Seals everything with the current key. Answers the number of values resealed, by column. */
export async function resealAll(
  database: Database,
  sealer: Sealer,
  { batch = BATCH, onProgress, isCancelled = () => false }: ResealOptions = {},
): Promise<Record<string, number>> {
  const totals: Record<string, number> = {};
  for (const sealed of COLUMNS) {
    const column = sealed.name;
    totals[column] = 0;
    for (let after: string | null = null; !isCancelled();) {
      const done: { resealed: number; last: string | null } = await resealBatch(database, sealer, sealed, after, batch);
      totals[column] += done.resealed;
      if (done.resealed > 0) onProgress?.({ column, resealed: totals[column] });
      if (done.last === null) break;
      after = done.last;
    }
  }
  return totals;
}

/** Reseals one batch in the order of the primary key. `last`: the position of its last row as JSON, null at the end. */
async function resealBatch(
  database: Database,
  sealer: Sealer,
  sealed: SealedColumn,
  after: string | null,
  limit: number,
): Promise<{ resealed: number; last: string | null }> {
  const rows = await otherwiseSealed(database, sealer.currentKeyId(), sealed, after, limit);
  if (rows.length === 0) return { resealed: 0, last: null };
  const at = rows.map(({ position }) => position);
  const old = rows.map((row) => row.sealed);
  const fresh = rows.map((row) => resealed(sealer, placeOfRow(sealed, row), row.sealed));
  const key = sealed.key.map(([name]) => name);
  // Only rows that are unchanged since they were read: a value that was sealed in the meantime stays.
  const [done] = await database.$queryRaw<{ number: number }[]>`
    SELECT reseal(${sealed.table}, ${sealed.column}, ${key}::text[], ${at}::text[], ${old}::bytea[], ${fresh}::bytea[])
      AS number`;
  const number = done?.number ?? 0;
  return { resealed: number, last: rows.length < limit ? null : rows.at(-1)!.position };
}

interface SealedRow {
  /** The values of the key as a JSON array of texts; bytes are hexadecimal. */
  readonly position: string;
  readonly operation: string | null;
  readonly sealed: Uint8Array<ArrayBuffer>;
}

function placeOfRow({ name, key }: SealedColumn, { position, operation }: SealedRow): Place {
  const values = JSON.parse(position) as string[];
  return placeOfParts(name, operation, Object.fromEntries(key.map(([part], index) => [part, values[index]!])));
}

function resealed(sealer: Sealer, place: Place, value: Uint8Array): Uint8Array<ArrayBuffer> {
  return sealer.sealBytes(place, sealer.openBytes(place, value));
}

/** Rows after a position whose value is sealed with another key than the current one. */
async function otherwiseSealed(
  database: Database,
  currentKeyId: string,
  { table, column, key, operation }: SealedColumn,
  after: string | null,
  limit: number,
): Promise<SealedRow[]> {
  const columnSql = identifier(column);
  const keySql = Prisma.join(key.map(([name]) => identifier(name)));
  const texts = Prisma.join(
    key.map(([name, type]) => (type === 'text' ? identifier(name) : Prisma.sql`encode(${identifier(name)}, 'hex')`)),
  );
  return database.$queryRaw<SealedRow[]>`
    SELECT json_build_array(${texts})::text AS position, ${columnSql} AS sealed,
      ${operation === null ? Prisma.sql`NULL` : identifier(operation)} AS operation
    FROM ${identifier(table)}
    WHERE ${columnSql} IS NOT NULL AND ${isAfter(key, after)} AND ${keyIdSql(columnSql)} <> ${currentKeyId}
    ORDER BY ${keySql} LIMIT ${limit}`;
}

/** Whether a row comes after a position, whose values are cast back so that they compare as in the index. */
function isAfter(key: SealedColumn['key'], position: string | null): Prisma.Sql {
  if (position === null) return Prisma.sql`TRUE`;
  const values = JSON.parse(position) as string[];
  const parts = key.map(([, type], index) =>
    type === 'text' ? Prisma.sql`${values[index]}::text` : Prisma.sql`decode(${values[index]}, 'hex')`,
  );
  return Prisma.sql`(${Prisma.join(key.map(([name]) => identifier(name)))}) > (${Prisma.join(parts)})`;
}
