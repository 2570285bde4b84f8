// All sealed columns: counts what each key has sealed, and seals values again with the current key, in batches. A run
// keeps no state: it skips what is sealed with the current key, so an interrupted run just starts again. SQL, because
// one query serves every table.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import type { Sealer } from './sealer.js';

export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Its primary key, in order. */
  readonly key: readonly string[];
}

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'api_key', column: 'secret_sealed', key: ['key_id'] },
  { table: 'webhook_secret', column: 'secret_sealed', key: ['id'] },
  { table: 'list_entry', column: 'value_sealed', key: ['operation_id', 'list', 'kind', 'value_hash'] },
  { table: 'player', column: 'document_sealed', key: ['operation_id', 'external_ref'] },
  { table: 'deposit', column: 'request_sealed', key: ['id'] },
  { table: 'deposit', column: 'payer_sealed', key: ['id'] },
  { table: 'withdrawal', column: 'request_sealed', key: ['id'] },
  { table: 'event', column: 'body_sealed', key: ['id'] },
  { table: 'provider_callback', column: 'body_sealed', key: ['id'] },
  { table: 'idempotency_key', column: 'response_sealed', key: ['operation_id', 'key'] },
];

const nameOf = ({ table, column }: SealedColumn) => `${table}.${column}`;
const identifier = (name: string) => Prisma.raw(`"${name}"`);
/** An expression: the key id at the start of a sealed value (its length in one byte, then the id). */
const keyIdSql = (column: Prisma.Sql) =>
  Prisma.sql`convert_from(substring(${column} FROM 2 FOR get_byte(${column}, 0)), 'UTF8')`;

/** The number of values that each key has sealed, by key id and then by column. Reads whole tables. */
export async function countSealed(database: Database): Promise<Map<string, Record<string, number>>> {
  const counts = new Map<string, Record<string, number>>();
  for (const sealed of SEALED_COLUMNS) {
    const column = identifier(sealed.column);
    const rows = await database.$queryRaw<{ key_id: string; number: bigint }[]>`
      SELECT ${keyIdSql(column)} AS key_id, count(*) AS number
      FROM ${identifier(sealed.table)} WHERE ${column} IS NOT NULL
      GROUP BY 1`;
    for (const { key_id, number } of rows)
      counts.set(key_id, { ...counts.get(key_id), [nameOf(sealed)]: Number(number) });
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
  for (const sealed of SEALED_COLUMNS) {
    const column = nameOf(sealed);
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
  const { table, key } = sealed;
  const [tableSql, columnSql] = [identifier(table), identifier(sealed.column)];
  const at = rows.map(({ position }) => position);
  const old = rows.map((row) => row.sealed);
  const fresh = old.map((value) => sealer.sealBytes(sealer.openBytes(value)));
  // Only rows that still hold what was read: a value that was sealed in the meantime stays.
  const [, resealed] = await database.$transaction([
    database.$executeRaw`SET LOCAL gateway.resealing = 'on'`,
    database.$executeRaw`
      UPDATE ${tableSql} SET ${columnSql} = change.fresh
      FROM unnest(${at}::text[], ${old}::bytea[], ${fresh}::bytea[]) AS change(at, old, fresh)
      WHERE ${rowIsAt(table, key)} AND ${tableSql}.${columnSql} = change.old`,
  ]);
  return { resealed, last: rows.length < limit ? null : rows.at(-1)!.position };
}

interface SealedRow {
  readonly position: string;
  readonly sealed: Uint8Array<ArrayBuffer>;
}

/** Rows after a position whose value is sealed with another key than the current one. */
async function otherwiseSealed(
  database: Database,
  currentKeyId: string,
  { table, column, key }: SealedColumn,
  after: string | null,
  limit: number,
): Promise<SealedRow[]> {
  const columnSql = identifier(column);
  const keySql = Prisma.join(key.map(identifier));
  const texts = Prisma.join(key.map((name) => Prisma.sql`${identifier(name)}::text`));
  return database.$queryRaw<SealedRow[]>`
    SELECT json_build_array(${texts})::text AS position, ${columnSql} AS sealed
    FROM ${identifier(table)}
    WHERE ${columnSql} IS NOT NULL AND ${isAfter(table, key, after)} AND ${keyIdSql(columnSql)} <> ${currentKeyId}
    ORDER BY ${keySql} LIMIT ${limit}`;
}

/** Whether a row comes after a position. Its values are cast back, so that they compare as in the index. */
function isAfter(table: string, key: readonly string[], position: string | null): Prisma.Sql {
  if (position === null) return Prisma.sql`TRUE`;
  const values = (JSON.parse(position) as string[]).map((value, index) => castSql(value, typeOf(table, key[index]!)));
  return Prisma.sql`(${Prisma.join(key.map(identifier))}) > (${Prisma.join(values)})`;
}

function castSql(value: string, type: string): Prisma.Sql {
  return Prisma.sql`${value}::${Prisma.raw(type)}`;
}

/** Whether a row's key is the position `change.at`. */
function rowIsAt(table: string, key: readonly string[]): Prisma.Sql {
  const parts = key.map((name, index) => {
    const part = Prisma.raw(`(change.at::json ->> ${index})::${typeOf(table, name)}`);
    return Prisma.sql`${identifier(table)}.${identifier(name)} = ${part}`;
  });
  return Prisma.join(parts, ' AND ');
}

/** Key columns are text, except these. */
function typeOf(table: string, name: string): string {
  if (name === 'value_hash') return 'bytea';
  return table === 'provider_callback' ? 'bigint' : 'text';
}
