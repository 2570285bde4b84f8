// Ledger accounts with their balances, as staff see them.
import type { Database } from '../database.js';
import { toBigInt } from '../database.js';
import { operationNames } from '../operations/operations.js';

/**
 * Ordered by operation and currency, at most `take`. Amounts are signed: `provider_clearing` is negative by what the
 * provider owes.
 */
export async function readBalances(
  database: Database,
  { operationId, take }: { operationId: string | null; take: number },
) {
  const rows = await database.ledgerAccount.findMany({
    where: operationId === null ? {} : { operationId },
    orderBy: [{ operationId: 'asc' }, { currency: 'asc' }, { account: 'asc' }],
    take,
  });
  const names = await operationNames(
    database,
    rows.map((row) => row.operationId),
  );
  return rows.map((row) => ({
    operation_id: row.operationId,
    operation_name: names.get(row.operationId) ?? row.operationId,
    account: row.account,
    balance: { amount: toBigInt(row.balanceMinor).toString(), currency: row.currency },
  }));
}

/** The accounts of an operation by their names, at most `take`. */
export function ledgerAccountsOf(database: Database, operationId: string, take: number) {
  return database.ledgerAccount.findMany({ where: { operationId }, orderBy: { account: 'asc' }, take });
}
