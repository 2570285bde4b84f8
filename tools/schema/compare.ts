// Compares what a schema describes with what a database has. CHECK constraints, partial indexes, indexes of
// expressions, functions and triggers are outside Prisma's language and not compared.
import type { Catalogue, Column, ForeignKey, Index, Table } from './catalogue.js';

/** One line per difference; empty when they agree. */
export function differencesOf(described: Catalogue, actual: Catalogue): string[] {
  return inEither(described, actual).flatMap((name) => {
    const [wanted, found] = [described.get(name), actual.get(name)];
    if (wanted === undefined) return [`table ${name}: not in the schema`];
    if (found === undefined) return [`table ${name}: missing in the database`];
    return tableDifferences(name, wanted, found);
  });
}

function tableDifferences(table: string, wanted: Table, found: Table): string[] {
  const columns = inEither(wanted.columns, found.columns).flatMap((name) =>
    columnDifferences(`column ${table}.${name}`, wanted.columns.get(name), found.columns.get(name)),
  );
  return [
    ...columns,
    ...listDifferences(table, wanted.indexes.map(indexText), found.indexes.map(indexText)),
    ...listDifferences(table, wanted.foreignKeys.map(foreignKeyText), found.foreignKeys.map(foreignKeyText)),
  ];
}

function columnDifferences(column: string, wanted: Column | undefined, found: Column | undefined): string[] {
  if (wanted === undefined) return [`${column}: not in the schema`];
  if (found === undefined) return [`${column}: missing in the database`];
  const differences: string[] = [];
  if (wanted.type !== found.type) differences.push(`${column}: is ${found.type}, the schema says ${wanted.type}`);
  if (wanted.nullable !== undefined && wanted.nullable !== found.nullable)
    differences.push(`${column}: may ${found.nullable ? '' : 'not '}be null, the schema says otherwise`);
  if (wanted.default !== found.default)
    differences.push(`${column}: has the default ${found.default}, the schema says ${wanted.default}`);
  return differences;
}

function listDifferences(table: string, wanted: readonly string[], found: readonly string[]): string[] {
  return [
    ...wanted.filter((one) => !found.includes(one)).map((one) => `table ${table}: ${one} is missing in the database`),
    ...found.filter((one) => !wanted.includes(one)).map((one) => `table ${table}: ${one} is not in the schema`),
  ];
}

function indexText({ kind, method, columns }: Index): string {
  const name = { id: 'primary key', unique: 'unique index', index: 'index' }[kind];
  return `${name} (${columns.join(', ')})${method === 'btree' ? '' : ` using ${method}`}`;
}

function foreignKeyText({ columns, table, references, onDelete, onUpdate }: ForeignKey): string {
  const actions = `on delete ${onDelete}, on update ${onUpdate}`;
  return `foreign key (${columns.join(', ')}) to ${table} (${references.join(', ')}), ${actions}`;
}

function inEither<Value>(one: ReadonlyMap<string, Value>, other: ReadonlyMap<string, Value>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].sort();
}
