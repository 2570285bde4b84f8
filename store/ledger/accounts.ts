// Ledger accounts with their balances, as staff see them.
import type { Database } from '../database.js';
import { toBigInt } from '../database.js';
import { operationNames } from '../operations/operations.js';

/**
 * Ordered by operation, account at a provider and currency, at most `take`. Amounts are signed: `provider_clearing` is
 * negative by what the provider owes.
 */
export async function readBalances(
  database: Database,
  { operationId, take }: { operationId: string | null; take: number },
) {
  const rows = await database.ledgerAccount.findMany({
    where: operationId === null ? {} : { operationId },
    orderBy: [{ operationId: 'asc' }, { provider: 'asc' }, { currency: 'asc' }, { account: 'asc' }],
    take,
  });
  const names = await operationNames(
    database,
    rows.map((row) => row.operationId),
  );
  return rows.map((row) => ({
    operation_id: row.operationId,
    operation_name: names.get(row.operationId) ?? row.operationId,
    provider: row.provider,
    account: row.account,
    balance: { amount: toBigInt(row.balanceMinor).toString(), currency: row.currency },
  }));
}

/** What lies where: the operation's balances that are not zero, without those of the providers' counter-accounts. */
export async function moneyByAccount(database: Pick<Database, 'ledgerAccount'>, operationId: string) {
  const rows = await database.ledgerAccount.findMany({
    where: { operationId, account: { not: 'provider_clearing' }, balanceMinor: { not: 0 } },
    orderBy: [{ provider: 'asc' }, { currency: 'asc' }, { account: 'asc' }],
  });
  return rows.map(({ provider, account, balanceMinor, currency }) => ({
    ...{ provider, account },
    balance: { amount: toBigInt(balanceMinor).toString(), currency },
  }));
}

export type LyingMoney = Awaited<ReturnType<typeof moneyByAccount>>;

/** The accounts of an operation by their names, at most `take`. */
export function ledgerAccountsOf(database: Database, operationId: string, take: number) {
  return database.ledgerAccount.findMany({
    where: { operationId },
    orderBy: [{ provider: 'asc' }, { account: 'asc' }],
    take,
  });
}
