// Every sealed column there is: counts what each key has sealed, and seals anew with the current key, a bounded number of rows at
// a time. Nothing is remembered between runs: what is sealed with the current key is passed over, so a run that was cut goes on.
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
/** The key id that a sealed value begins with: its length in one byte, then the id. */
const keyIdSql = (column: Prisma.Sql) =>
  Prisma.sql`convert_from(substring(${column} FROM 2 FOR get_byte(${column}, 0)), 'UTF8')`;

/** How many values each key has sealed, by key id and then by column. Reads whole tables. */
export async function countSealed(database: Database): Promise<Map<string, Record<string, number>>> {
  const counts = new Map<string, Record<string, number>>();
  for (const sealed of SEALED_COLUMNS) {
    const column = identifier(sealed.column);
    const rows = await database.$queryRaw<{ key_id: string; number: bigint }[]>`
      SELECT ${keyIdSql(column)} AS key_id, count(*) AS number FROM ${identifier(sealed.table)} WHERE ${column} IS NOT NULL GROUP BY 1`;
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
  /** Asked between batches: true ends the run early. */
  readonly isCancelled?: () => boolean;
}

const BATCH = 500;

/** Seals everything with the current key. Answers how many values each column had sealed otherwise. */
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

/** One batch in the order of the primary key, as JSON text; `last` is where the next one goes on, null at the end. */
async function resealBatch(
  database: Database,
  sealer: Sealer,
  { table, column, key }: SealedColumn,
  after: string | null,
  limit: number,
): Promise<{ resealed: number; last: string | null }> {
  const [tableSql, columnSql] = [identifier(table), identifier(column)];
  const keySql = Prisma.join(key.map(identifier));
  const currentKeyId = sealer.currentKeyId();
  // The position travels as the row's own type in text, so that every kind of key (text, bigint, bytea) compares as its index does.
  const position = Prisma.sql`json_build_array(${Prisma.join(key.map((name) => Prisma.sql`${identifier(name)}::text`))})::text`;
  const beyond =
    after === null
      ? Prisma.sql`TRUE`
      : Prisma.sql`(${keySql}) > (${Prisma.join((JSON.parse(after) as string[]).map((value, index) => Prisma.sql`${value}::${Prisma.raw(typeOf(table, key[index]!))}`))})`;
  const rows = await database.$queryRaw<{ position: string; sealed: Uint8Array<ArrayBuffer> }[]>`
    SELECT ${position} AS position, ${columnSql} AS sealed FROM ${tableSql}
    WHERE ${columnSql} IS NOT NULL AND ${beyond} AND ${keyIdSql(columnSql)} <> ${currentKeyId}
    ORDER BY ${keySql} LIMIT ${limit}`;
  if (rows.length === 0) return { resealed: 0, last: null };
  const changed = rows.map(({ position: at, sealed }) => ({
    at,
    old: sealed,
    fresh: sealer.sealBytes(sealer.openBytes(sealed)),
  }));
  // Compared with what was read: a value that somebody has sealed meanwhile stays theirs.
  const [, resealed] = await database.$transaction([
    database.$executeRaw`SET LOCAL gateway.resealing = 'on'`,
    database.$executeRaw`
      UPDATE ${tableSql} SET ${columnSql} = change.fresh
      FROM unnest(${changed.map(({ at }) => at)}::text[], ${changed.map(({ old }) => old)}::bytea[], ${changed.map(({ fresh }) => fresh)}::bytea[]) AS change(at, old, fresh)
      WHERE ${rowIsAt(table, key)} AND ${identifier(table)}.${columnSql} = change.old`,
  ]);
  return { resealed, last: rows.length < limit ? null : rows.at(-1)!.position };
}

function rowIsAt(table: string, key: readonly string[]): Prisma.Sql {
  const parts = key.map(
    (name, index) =>
      Prisma.sql`${identifier(table)}.${identifier(name)} = (change.at::json ->> ${Prisma.raw(String(index))})::${Prisma.raw(typeOf(table, name))}`,
  );
  return Prisma.join(parts, ' AND ');
}

/** Keys are texts, but for these. */
function typeOf(table: string, name: string): string {
  if (name === 'value_hash') return 'bytea';
  return table === 'provider_callback' ? 'bigint' : 'text';
}
