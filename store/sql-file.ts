// Statements that stand whole in a `.sql` file beside their caller, with named parameters: `WHERE id = :id`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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
