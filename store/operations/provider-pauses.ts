// Providers that a person has paused: `is_paused` of prisma/functions has what follows.
import type { AccountName } from '../../domain/provider-accounts.js';
import type { Database } from '../database.js';
import type { Transaction } from '../transactions.js';

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
