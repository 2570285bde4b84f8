// Prints an answer's object as blocks and tables on a terminal, in the same way for every command. A table that is
// wider than the terminal becomes a block for each row, so ids are never cut: people copy them.
import { type Alignment, columns } from './columns.js';
import { cell, displayWidth, isQuantity, type Json, type JsonObject, NONE } from './cells.js';

export interface Screen {
  readonly width: number;
  readonly isColoured: boolean;
}

const INDENT = '  ';

/** The whole object, without a line end. */
export function shown(value: object, screen: Screen): string {
  // The values of the JSON, where instants are texts.
  return blockLines(JSON.parse(JSON.stringify(value)) as JsonObject, '', screen).join('\n');
}

/** `external_id` → "external id". */
function label(name: string): string {
  return name.replaceAll('_', ' ');
}

/** One line for each short value, then the values that need several lines. */
function blockLines(value: JsonObject, indent: string, screen: Screen): string[] {
  const members = Object.entries(value);
  const short = members.flatMap(([name, member]) => {
    const text = cell(member);
    return text === null ? [] : [[label(name), text] as const];
  });
  const width = Math.max(0, ...short.map(([name]) => displayWidth(name)));
  return [
    ...short.map(
      ([name, text]) => `${indent}${dim(name, screen)}${' '.repeat(width - displayWidth(name))}${INDENT}${text}`,
    ),
    ...members.flatMap(([name, member]) => (cell(member) === null ? longLines(name, member, indent, screen) : [])),
  ];
}

function longLines(name: string, value: Json, indent: string, screen: Screen): string[] {
  const before = indent === '' ? [''] : [];
  if (!Array.isArray(value))
    return [
      ...before,
      `${indent}${bold(label(name), screen)}`,
      ...blockLines(value as JsonObject, indent + INDENT, screen),
    ];
  const rows = value as readonly Json[];
  return [
    ...before,
    `${indent}${bold(`${label(name)} (${rows.length})`, screen)}`,
    ...rowsLines(rows, indent + INDENT, screen),
  ];
}

/** A table if it fits, otherwise a block for each row. */
function rowsLines(rows: readonly Json[], indent: string, screen: Screen): string[] {
  const objects = rows.map((row) =>
    row !== null && typeof row === 'object' && !Array.isArray(row) ? (row as JsonObject) : { value: row },
  );
  const table = tableLines(objects, indent, screen);
  if (table !== null) return table;
  return objects.flatMap((row, index) => [...(index === 0 ? [] : ['']), ...blockLines(row, indent, screen)]);
}

function tableLines(rows: readonly JsonObject[], indent: string, screen: Screen): string[] | null {
  const flat = rows.map(flattened);
  const all = [...new Set(flat.flatMap((row) => Object.keys(row)))];
  // Columns that are empty in every row are left out.
  const names = all.filter((name) => flat.some((row) => cell(row[name] ?? null) !== NONE));
  const cells = flat.map((row) => names.map((name) => cell(row[name] ?? null)));
  if (names.length === 0 || cells.some((row) => row.some((text) => text === null || text.includes('\n')))) return null;
  const alignments = names.map((name): Alignment =>
    flat.some((row) => isQuantity(row[name] ?? null)) ? 'right' : 'left',
  );
  const [head = '', ...lines] = columns([names.map(label), ...(cells as string[][])], alignments, indent);
  if ([head, ...lines].some((line) => displayWidth(line) > screen.width)) return null;
  return [dim(head, screen), ...lines];
}

/** Nested members become columns: `approvals` with `needed` → "approvals needed". */
function flattened(row: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]): [string, Json][] => {
      if (cell(value) !== null || Array.isArray(value)) return [[name, value]];
      return Object.entries(flattened(value as JsonObject)).map(([inner, member]) => [`${name} ${inner}`, member]);
    }),
  );
}

const bold = (text: string, { isColoured }: Screen) => (isColoured ? `\u001b[1m${text}\u001b[22m` : text);
const dim = (text: string, { isColoured }: Screen) => (isColoured ? `\u001b[2m${text}\u001b[22m` : text);
