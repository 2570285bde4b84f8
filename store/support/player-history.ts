// What is stored about a player besides one payment: the time of the first payment, the kept sums, and the latest
// payments.
import type { Database } from '../database.js';

/** The player, and the sums in every currency. */
export async function readPlayerRow(
  database: Database,
  { operationId, playerRef }: { readonly operationId: string; readonly playerRef: string },
) {
  const [row, sums] = await Promise.all([
    database.player.findUnique({
      where: { operationId_externalRef: { operationId, externalRef: playerRef } },
      select: { createdAt: true, erasedAt: true },
    }),
    database.playerSum.findMany({ where: { operationId, playerRef }, orderBy: [{ currency: 'asc' }, { kind: 'asc' }] }),
  ]);
  return { row, sums };
}

export interface PaymentOfPlayer {
  readonly id: string;
  readonly operationId: string;
  readonly playerRef: string;
  readonly currency: string;
}

/** The player of this payment: the row, the sums in its currency, and the newest other payments of each kind. */
export async function readPlayerOf(
  database: Database,
  { id, operationId, playerRef, currency }: PaymentOfPlayer,
  take: number,
) {
  const player = { operationId, externalRef: playerRef };
  const newest = { where: { operationId, playerRef, id: { not: id } }, orderBy: { sequence: 'desc' }, take } as const;
  const select = {
    id: true,
    status: true,
    amountMinor: true,
    currency: true,
    createdAt: true,
  } as const;
  const [known, sums, deposits, withdrawals] = await Promise.all([
    database.player.findUnique({ where: { operationId_externalRef: player }, select: { createdAt: true } }),
    database.playerSum.findMany({ where: { operationId, playerRef, currency } }),
    database.deposit.findMany({ ...newest, select: { ...select, reviewReasons: true } }),
    database.withdrawal.findMany({ ...newest, select: { ...select, decisionReasons: true } }),
  ]);
  return { known, sums, deposits, withdrawals };
}
