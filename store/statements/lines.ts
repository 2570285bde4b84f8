// Lines of providers' statements: imported once each, in one transaction for the whole file, which holds the lock.
import type { OfDay, StatementLine } from '../../domain/statements.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Transaction } from '../transactions.js';
import { removalsOf, standingSql } from './removals.js';

const PER_STATEMENT = 5_000;

const LISTED = Prisma.sql`id text, kind text, end_to_end_id text, return_id text, amount_minor numeric,
  settled_at timestamptz(3)`;

/** A line that was imported before with other content. */
export interface ChangedLine {
  readonly id: string;
  readonly day: string;
}

export interface LinesImported {
  readonly imported: number;
  /** The first that contradicts what was imported before; then nothing may be kept of the file. */
  readonly changed: ChangedLine | null;
}

export async function insertLines(
  transaction: Transaction,
  { provider, day }: OfDay,
  lines: readonly StatementLine[],
): Promise<LinesImported> {
  const removals = await removalsOf(transaction, { provider, day });
  let imported = 0;
  for (let start = 0; start < lines.length; start += PER_STATEMENT) {
    const page = JSON.stringify(lines.slice(start, start + PER_STATEMENT).map(recordOf));
    imported += await transaction.$executeRaw`
      INSERT INTO statement_line (provider, line_id, day, removals, kind, end_to_end_id, return_id, amount_minor,
        settled_at)
      SELECT ${provider}, id, ${day}::date, ${removals}::int, kind, end_to_end_id, return_id, amount_minor, settled_at
      FROM jsonb_to_recordset(${page}::jsonb)
        AS listed (${LISTED})
      ON CONFLICT DO NOTHING`;
    const [changed] = await transaction.$queryRaw<ChangedLine[]>`
      SELECT line.line_id AS id, line.day::text AS day
      FROM jsonb_to_recordset(${page}::jsonb)
        AS listed (${LISTED})
      JOIN statement_line AS line ON line.provider = ${provider} AND line.line_id = listed.id
      WHERE (line.day, line.kind, line.end_to_end_id, line.return_id, line.amount_minor, line.settled_at)
        IS DISTINCT FROM (${day}::date, listed.kind, listed.end_to_end_id, listed.return_id, listed.amount_minor,
          listed.settled_at)
        AND ${standingSql(Prisma.sql`line`)}
      LIMIT 1`;
    if (changed !== undefined) return { imported, changed };
  }
  return { imported, changed: null };
}

const recordOf = ({ id, kind, amountMinor, settledAt, endToEndId, returnId }: StatementLine) => ({
  id,
  kind,
  amount_minor: amountMinor.toString(),
  settled_at: settledAt,
  end_to_end_id: endToEndId,
  return_id: returnId,
});
