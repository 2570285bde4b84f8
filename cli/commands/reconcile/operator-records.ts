// Reads an operator's records as CSV: a header line, then one settlement per line. Only three columns are used.
import type { OperatorRecord } from '../../../client/index.js';
import { badInput } from '../../problem.js';
import { readBytes } from '../../inputs/files.js';

const MOST_BYTES = 64 * 1024 * 1024;
const COLUMNS = ['external_id', 'kind', 'amount'] as const;

/** The records of a CSV file with the columns external_id, kind and amount (minor units). Other columns are ignored. */
export async function readOperatorRecords(field: string, path: string): Promise<OperatorRecord[]> {
  const text = new TextDecoder('utf-8').decode(await readBytes(field, path, MOST_BYTES));
  const [head = '', ...lines] = text.split(/\r?\n/);
  const names = cellsOf(head).map((name) => name.toLowerCase());
  const missing = COLUMNS.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw badInput(field, `the first line must name the columns ${COLUMNS.join(', ')}; missing: ${missing.join(', ')}`);
  return lines.flatMap((line, index) => (line.trim() === '' ? [] : [recordOf(field, names, line, index + 2)]));
}

function recordOf(field: string, names: readonly string[], line: string, number: number): OperatorRecord {
  const cells = cellsOf(line);
  if (cells.length !== names.length)
    throw badInput(field, `line ${number}: ${cells.length} columns instead of ${names.length}`);
  const cell = (name: (typeof COLUMNS)[number]) => cells[names.indexOf(name)] ?? '';
  const record = { external_id: cell('external_id'), kind: cell('kind'), amount: cell('amount') };
  if (!/^[A-Za-z0-9_.:-]{1,64}$/.test(record.external_id))
    throw badInput(field, `line ${number}: external_id must be 1 to 64 of A-Z a-z 0-9 _ . : -`);
  if (!/^[a-z_]{1,32}$/.test(record.kind))
    throw badInput(field, `line ${number}: kind must be a word such as deposit or withdrawal`);
  if (!/^(0|[1-9][0-9]{0,37})$/.test(record.amount))
    throw badInput(field, `line ${number}: amount must be minor units, such as 5000 for R$ 50,00`);
  return record;
}

/** Splits a line at commas or semicolons and removes quotes. None of the used columns can contain a separator. */
function cellsOf(line: string): string[] {
  const separator = line.includes(';') && !line.includes(',') ? ';' : ',';
  return line
    .replace(/^\uFEFF/, '')
    .split(separator)
    .map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
}
