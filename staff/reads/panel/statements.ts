// Days of the providers' statements as they compare with the books, and what does not agree of one.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import { toMoney } from '../../../domain/money.js';
import { PROVIDER_NAMES } from '../../../domain/provider-names.js';
import { agrees, type StatementDifference } from '../../../domain/statements.js';
import type { Database } from '../../../store/database.js';
import { readStatementDay, readStatementDays } from '../../../store/statements/days.js';
import { sees, type Viewer } from '../../viewer.js';

/** Of each slot. Earlier ones are read with the `gateway` command. */
const SHOWN_DAYS = 31;

export async function readStatements(database: Database, viewer: Viewer): Promise<Answering<'readStatements'>> {
  if (!sees(viewer, null)) return { items: null };
  const days = await Promise.all(PROVIDER_NAMES.map((provider) => readStatementDays(database, provider, SHOWN_DAYS)));
  return {
    items: days.flat().map((row) => ({
      provider: row.provider,
      day: row.day.toISOString().slice(0, 10),
      agrees: agrees(row),
      lines: row.lineCount,
      matched: row.matched,
      missing_here: row.missingHere,
      missing_there: row.missingThere,
      amount_differs: row.amountDiffers,
      undecided: row.undecided,
      compared_at: row.comparedAt,
      compared_by: row.comparedBy,
    })),
  };
}

/** Null: no such day, or not for this viewer. */
export async function readStatement(
  database: Database,
  viewer: Viewer,
  day: Asked<'readStatement'>['params'],
): Promise<Answering<'readStatement'> | null> {
  if (!sees(viewer, null)) return null;
  const row = await readStatementDay(database, day, null);
  if (row === null) return null;
  const differences = row.differences as unknown as readonly StatementDifference[];
  return {
    digest: row.digest,
    items: differences.map(({ comparison, kind, reference, subject, statement, ledger, payment }) => ({
      comparison,
      kind,
      reference,
      subject,
      statement: inBrl(statement),
      ledger: inBrl(ledger),
      payment: inBrl(payment),
    })),
  };
}

const inBrl = (amountMinor: string | null) => (amountMinor === null ? null : toMoney(BigInt(amountMinor), 'BRL'));
