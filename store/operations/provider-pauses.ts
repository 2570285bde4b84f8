// Providers that a person has paused. The statements that permit a charge or a payout ask here themselves: a pause
// holds from the moment that it is stored.
import { Prisma } from '../../prisma/generated/client.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { Database } from '../database.js';
import type { Transaction } from '../transactions.js';

/** A condition: the account is paused, or its slot. */
export function isPausedSql(provider: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT FROM provider_pause
    WHERE provider_pause.provider IN (${provider}, split_part(${provider}, '.', 1)))`;
}

/** A provider that was paused before keeps its time and reason. */
export async function pauseProvider(
  transaction: Transaction,
  pause: { readonly provider: AccountName; readonly pausedBy: string; readonly reason: string },
): Promise<void> {
  await transaction.providerPause.createMany({ data: [pause], skipDuplicates: true });
}

/** `false` if it was not paused. */
export async function resumeProvider(transaction: Transaction, provider: AccountName): Promise<boolean> {
  return (await transaction.providerPause.deleteMany({ where: { provider } })).count === 1;
}

export function readPauses(database: Database) {
  return database.providerPause.findMany({ orderBy: { provider: 'asc' } });
}
