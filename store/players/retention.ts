// What the daily retention reads and removes: callbacks past their time, and players whose histories are to be deleted.
import type { Database } from '../database.js';
import type { PlayerName } from './erasure.js';

/** Providers repeat a callback for hours; after a month its bytes have no further use (docs/retention.md). */
export const CALLBACK_RETENTION_DAYS = 30;

/** Deletes callbacks that were received before a moment, at most `limit`. @returns how many it deleted */
export async function removeCallbacks(database: Database, before: Date, limit: number): Promise<number> {
  return database.$executeRaw`
    DELETE FROM provider_callback WHERE id IN (
      SELECT id FROM provider_callback WHERE received_at < ${before} LIMIT ${limit})`;
}

/** Erased players whose histories are still in Temporal, those of the earliest erasure first. */
export async function playersWithHistories(database: Database, limit: number): Promise<PlayerName[]> {
  return database.player.findMany({
    where: { erasedAt: { not: null }, historiesErasedAt: null },
    select: { operationId: true, externalRef: true },
    orderBy: { erasedAt: 'asc' },
    take: limit,
  });
}

/** The ids of a player's payments, which are those of their workflows. */
export async function paymentIdsOf(database: Database, { operationId, externalRef }: PlayerName): Promise<string[]> {
  const own = { where: { operationId, playerRef: externalRef }, select: { id: true } };
  const [deposits, withdrawals] = [await database.deposit.findMany(own), await database.withdrawal.findMany(own)];
  return [...deposits, ...withdrawals].map(({ id }) => id);
}

export async function noteHistoriesErased(
  database: Database,
  { operationId, externalRef }: PlayerName,
  at: Date,
): Promise<void> {
  await database.player.updateMany({
    where: { operationId, externalRef, historiesErasedAt: null },
    data: { historiesErasedAt: at },
  });
}
