// Importing a day of a provider's statement: its lines are stored once, and compared with the books in the same
// transaction.
import { type NotOfDay, notOfDay, type OfDay, type StatementLine } from '../../domain/statements.js';
import { appendAudit } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import { compareStatements } from '../../store/statements/items.js';
import { type ChangedLine, insertLines } from '../../store/statements/lines.js';
import { lockStatements } from '../../store/statements/removals.js';
import { inLongTransaction } from '../../store/transactions.js';

/** A large day on a busy database. */
const IMPORT_LIMIT_MS = 120_000;

export type StatementImported =
  /** `imported`: the number of lines that were new. */
  | { readonly kind: 'imported'; readonly imported: number }
  /** A line says something else than when it was imported before. Nothing of the file was kept. */
  | { readonly kind: 'line_changed'; readonly line: ChangedLine }
  | NotOfDay
  | { readonly kind: 'not_permitted' };

/** Ends the transaction without keeping anything of it. */
class LineChanged extends Error {
  constructor(readonly line: ChangedLine) {
    super('a line changed');
  }
}

/** Imports the lines of a day, and compares them and every open difference. */
export async function importStatement(
  database: Database,
  person: Actor,
  of: OfDay,
  lines: readonly StatementLine[],
): Promise<StatementImported> {
  const action = 'statement.import';
  if (!(await mayNow(database, person, action, null))) return { kind: 'not_permitted' };
  const refusal = notOfDay(of.day, lines, new Date());
  if (refusal !== null) return refusal;
  try {
    return await inLongTransaction(database, IMPORT_LIMIT_MS, async (transaction) => {
      await lockStatements(transaction, of);
      const { imported, changed } = await insertLines(transaction, of, lines);
      if (changed !== null) throw new LineChanged(changed);
      const { opened, closed } = await compareStatements(transaction, of.provider, { day: of.day }, person.handle);
      const detail = { ...of, lines: lines.length, imported, opened, closed };
      await appendAudit(transaction, { person, action, operationId: null, subject: of.provider, detail });
      return { kind: 'imported', imported };
    });
  } catch (error) {
    if (error instanceof LineChanged) return { kind: 'line_changed', line: error.line };
    throw error;
  }
}
