// A provider's statement as a CSV file: `id,kind,amount,settled_at,end_to_end_id`, and `return_id` if the bank states
// it. A bad line is reported by its number and its field, and then nothing of the file is imported.
import { readInstant } from '../../domain/instant.js';
import { isReturnId } from '../../domain/payments/returns.js';
import { STATEMENT_KINDS, type StatementLine } from '../../domain/statements.js';
import type { CommandContext } from '../context.js';
import { badInput } from '../problem.js';
import { MOST_STATEMENT_BYTES } from './sizes.js';

const COLUMNS = ['id', 'kind', 'amount', 'settled_at', 'end_to_end_id'] as const;
const RETURN_ID = 'return_id';
type Column = (typeof COLUMNS)[number];
type Row = Record<Column, string> & { readonly [RETURN_ID]?: string };

/** Throws a CommandProblem that names the line and the field. */
export async function readStatementFile(context: CommandContext, path: string): Promise<StatementLine[]> {
  const { parse, CsvError } = await import('csv-parse/sync');
  const bytes = await context.readFile('FILE', path, MOST_STATEMENT_BYTES);
  let records: Row[];
  try {
    records = parse(bytes, { columns: header, bom: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    if (error instanceof CsvError) throw badInput('FILE', `is no CSV: line ${error.lines}, ${error.code}`);
    throw error;
  }
  if (records.length === 0) throw badInput('FILE', 'has no lines');
  const seen = new Set<string>();
  return records.map((record, index) => readLine(record, index + 2, seen));
}

function header(names: string[]): string[] {
  const isHeader = [COLUMNS, [...COLUMNS, RETURN_ID]].some((columns) => columns.join() === names.join());
  if (!isHeader) throw badInput('FILE', `its first line must be ${COLUMNS.join(',')}, with or without ${RETURN_ID}`);
  return names;
}

function readLine(record: Row, number: number, seen: Set<string>): StatementLine {
  const wrong = (column: keyof Row, what: string) => badInput('FILE', `line ${number}, ${column}: ${what}`);
  const {
    id,
    kind: kindText,
    amount,
    settled_at: settledAt,
    end_to_end_id: endToEndId,
    return_id: returnId = '',
  } = record;
  if (!/^[\x21-\x7e]{1,100}$/.test(id)) throw wrong('id', 'must be 1 to 100 visible characters');
  if (seen.has(id)) throw wrong('id', 'stands in an earlier line');
  seen.add(id);
  const kind = STATEMENT_KINDS.find((known) => known === kindText);
  if (kind === undefined) throw wrong('kind', `must be one of ${STATEMENT_KINDS.join(', ')}`);
  if (!/^[1-9]\d{0,14}$/.test(amount)) throw wrong('amount', 'must be centavos, as 500000 for R$ 5.000,00');
  const settled = readInstant(settledAt);
  if (settled === null) throw wrong('settled_at', 'must be as 2026-11-23T14:05:00-03:00');
  if (endToEndId !== '' && !/^[a-zA-Z0-9]{32,35}$/.test(endToEndId))
    throw wrong('end_to_end_id', 'must be empty, or 32 letters and digits');
  if (returnId !== '' && !isReturnId(returnId)) throw wrong(RETURN_ID, 'must be empty, or D and 31 letters and digits');
  return {
    id,
    kind,
    amountMinor: BigInt(amount),
    settledAt: settled.toISOString(),
    endToEndId: endToEndId === '' ? null : endToEndId,
    returnId: returnId === '' ? null : returnId,
  };
}
