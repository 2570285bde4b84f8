// Days of the providers' statements compared with the books, and the differences of one day.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import { toMoney } from '../../../domain/money.js';
import type { Database } from '../../../store/database.js';
import { readStatementAccounts, readStatementDay, readStatementDays } from '../../../store/statements/days.js';
import { sees, type Viewer } from '../../viewer.js';

/** The number of days of each account. Earlier ones are read with the `gateway` command. */
const SHOWN_DAYS = 31;

export async function readStatements(database: Database, viewer: Viewer): Promise<Answering<'readStatements'>> {
  if (!sees(viewer, null)) return { items: null };
  const days = await Promise.all(
    (await readStatementAccounts(database)).map(async (provider) => {
      const compared = await readStatementDays(database, provider, SHOWN_DAYS);
      return compared.map(({ ok: agrees, revision: _, ...day }) => ({ provider, agrees, ...day }));
    }),
  );
  return { items: days.flat() };
}

/** `null` if there is no such day, or the viewer may not see it. */
export async function readStatement(
  database: Database,
  viewer: Viewer,
  day: Asked<'readStatement'>['params'],
): Promise<Answering<'readStatement'> | null> {
  if (!sees(viewer, null)) return null;
  const compared = await readStatementDay(database, day, null);
  if (compared === null) return null;
  return {
    digest: compared.digest,
    items: compared.differences.map(({ id, comparison, kind, reference, subject, statement, ledger, explained }) => ({
      id,
      comparison,
      kind,
      reference,
      subject,
      statement: inBrl(statement),
      ledger: inBrl(ledger),
      explained,
    })),
  };
}

const inBrl = (minor: string | null) => (minor === null ? null : toMoney(BigInt(minor), 'BRL'));
