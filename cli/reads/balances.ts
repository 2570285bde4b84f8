// The ledger accounts of operations and what is on them.
import type { Database } from '../../store/database.js';
import { toBigInt } from '../../store/database.js';
import { operationNames } from './found-payments.js';

/** By operation and currency, at most `take`. Signed: what the provider holds for us is negative by what it owes. */
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
