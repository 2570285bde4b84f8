// What a database has: tables, columns, plain indexes and foreign keys, read from PostgreSQL's catalogue.
import type pg from 'pg';

/** By table name. */
export type Catalogue = ReadonlyMap<string, Table>;

export interface Table {
  /** By column name. */
  readonly columns: ReadonlyMap<string, Column>;
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
}

export interface Column {
  /** As `format_type` spells it: `numeric(38,0)`. */
  readonly type: string;
  /** Undefined: not compared. */
  readonly nullable: boolean | undefined;
  /** A literal as text, `[]`, `now()`, `autoincrement()`, any other expression unchanged, or null. */
  readonly default: string | null;
}

export interface Index {
  readonly kind: 'id' | 'unique' | 'index';
  readonly method: string;
  readonly columns: readonly string[];
}

export interface ForeignKey {
  readonly columns: readonly string[];
  readonly table: string;
  readonly references: readonly string[];
  readonly onDelete: string;
  readonly onUpdate: string;
}

// The records of a deployment, which no schema describes.
const OWN_TABLES = ['_prisma_migrations', '_applied_functions'];

const TABLES = `
  SELECT oid, relname AS table FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND relname <> ALL ($1)`;

const COLUMNS = `
  SELECT attrelid AS oid, attname AS column, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS nullable,
    pg_get_expr(adbin, adrelid) AS default
  FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attrelid = ANY ($1) AND attnum > 0 AND NOT attisdropped`;

// Prisma's language has no partial indexes and none of expressions (indkey 0), so those are left out.
const INDEXES = `
  SELECT indrelid AS oid, amname AS method,
    CASE WHEN indisprimary THEN 'id' WHEN indisunique THEN 'unique' ELSE 'index' END AS kind,
    ARRAY (SELECT attname::text FROM unnest(indkey::int2[]) WITH ORDINALITY AS key (number, place)
           JOIN pg_attribute ON attrelid = indrelid AND attnum = number ORDER BY place) AS columns
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam
  WHERE indrelid = ANY ($1) AND indpred IS NULL AND 0 <> ALL (indkey::int2[]) AND indisvalid`;

const FOREIGN_KEYS = `
  SELECT conrelid AS oid, confrelid::regclass::text AS table, confdeltype AS on_delete, confupdtype AS on_update,
    ARRAY (SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS key (number, place)
           JOIN pg_attribute ON attrelid = conrelid AND attnum = number ORDER BY place) AS columns,
    ARRAY (SELECT attname::text FROM unnest(confkey) WITH ORDINALITY AS key (number, place)
           JOIN pg_attribute ON attrelid = confrelid AND attnum = number ORDER BY place) AS references
  FROM pg_constraint WHERE conrelid = ANY ($1) AND contype = 'f' AND convalidated`;

/** Prisma's names of what a foreign key does. */
const ACTIONS: Record<string, string> = {
  a: 'NoAction',
  r: 'Restrict',
  c: 'Cascade',
  n: 'SetNull',
  d: 'SetDefault',
};

/** Reads the tables of the connection's current schema. */
export async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const tables = (await client.query<{ oid: number; table: string }>(TABLES, [OWN_TABLES])).rows;
  const oids = tables.map(({ oid }) => oid);
  const rows = async <Row>(sql: string) => (await client.query<Row & { oid: number }>(sql, [oids])).rows;
  const columns = await rows<{ column: string; type: string; nullable: boolean; default: string | null }>(COLUMNS);
  const indexes = await rows<Index>(INDEXES);
  const foreignKeys = await rows<Omit<ForeignKey, 'onDelete'> & { on_delete: string; on_update: string }>(FOREIGN_KEYS);
  const of = <Row extends { oid: number }>(all: readonly Row[], oid: number) => all.filter((row) => row.oid === oid);
  return new Map(
    tables.map(({ oid, table }): [string, Table] => [
      table,
      {
        columns: new Map(
          of(columns, oid).map((row) => [
            row.column,
            { type: row.type, nullable: row.nullable, default: plainDefault(row.default) },
          ]),
        ),
        indexes: of(indexes, oid).map(({ kind, method, columns: names }) => ({ kind, method, columns: names })),
        foreignKeys: of(foreignKeys, oid).map((row) => ({
          columns: row.columns,
          table: row.table,
          references: row.references,
          onDelete: ACTIONS[row.on_delete] ?? row.on_delete,
          onUpdate: ACTIONS[row.on_update] ?? row.on_update,
        })),
      },
    ]),
  );
}

/** `'active'::text` → `active`; see {@link Column.default}. */
function plainDefault(expression: string | null): string | null {
  if (expression === null) return null;
  if (expression === 'CURRENT_TIMESTAMP') return 'now()';
  if (/^nextval\('[^']+'::regclass\)$/.test(expression)) return 'autoincrement()';
  if (/^(ARRAY\[\]|'\{\}')::.*\[\]$/.test(expression)) return '[]';
  return /^'((?:[^']|'')*)'(?:::[a-z ]+)?$/.exec(expression)?.[1]?.replaceAll("''", "'") ?? expression;
}
