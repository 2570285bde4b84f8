// Balances of an operation's ledger accounts, summed over its accounts at providers. A hot read, so SQL by the driver
// (statements.ts).
import type { LedgerAccount } from '../../domain/ledger.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowsOf } from '../statements.js';

/** The balance of an account in minor units; zero if nothing has moved yet. */
export type Balances = (currency: string, account: LedgerAccount) => bigint;

/** Reads every account of the operation in one statement. */
export async function readBalances(database: Database, operationId: string): Promise<Balances> {
  const rows = await rowsOf<{ currency: string; account: string; balanceMinor: bigint }>(
    database,
    Prisma.sql`
      SELECT currency, account, sum(balance_minor) AS "balanceMinor"
      FROM ledger_account WHERE operation_id = ${operationId} GROUP BY currency, account`,
  );
  const byAccount = new Map(rows.map((row) => [`${row.currency} ${row.account}`, row.balanceMinor]));
  return (currency, account) => byAccount.get(`${currency} ${account}`) ?? 0n;
}
