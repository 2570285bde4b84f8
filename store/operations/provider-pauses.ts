// Providers that a person has paused. The statements that insert a deposit and that give the permission to send ask
// here themselves: a pause holds from the moment that it is stored.
import { Prisma } from '../../prisma/generated/client.js';
import type { ProviderName } from '../../domain/provider-names.js';
import type { Database } from '../database.js';
import type { Transaction } from '../transactions.js';

/** A condition: the provider is paused. */
export function isPausedSql(provider: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT FROM provider_pause WHERE provider_pause.provider = ${provider})`;
}

export async function isPaused(database: Pick<Database, 'providerPause'>, provider: string): Promise<boolean> {
  return (await database.providerPause.findUnique({ where: { provider } })) !== null;
}

/** A provider that was paused before keeps its time and reason. */
export async function pauseProvider(
  transaction: Transaction,
  pause: { readonly provider: ProviderName; readonly pausedBy: string; readonly reason: string },
): Promise<void> {
  await transaction.providerPause.createMany({ data: [pause], skipDuplicates: true });
}

/** False: it was not paused. */
export async function resumeProvider(transaction: Transaction, provider: ProviderName): Promise<boolean> {
  return (await transaction.providerPause.deleteMany({ where: { provider } })).count === 1;
}

export function readPauses(database: Database) {
  return database.providerPause.findMany({ orderBy: { provider: 'asc' } });
}
