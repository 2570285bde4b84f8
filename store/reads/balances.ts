// Balances of an operation's ledger accounts.
import type { LedgerAccount } from '../../domain/ledger.js';
import { type Database, toBigInt } from '../client.js';

/** The balance of an account in minor units; zero where nothing has moved yet. */
export type Balances = (currency: string, account: LedgerAccount) => bigint;

/** Reads every account of the operation in one statement. */
export async function readBalances(database: Database, operationId: string): Promise<Balances> {
  const rows = await database.ledgerAccount.findMany({ where: { operationId } });
  const byAccount = new Map(rows.map((row) => [`${row.currency} ${row.account}`, toBigInt(row.balanceMinor)]));
  return (currency, account) => byAccount.get(`${currency} ${account}`) ?? 0n;
}
