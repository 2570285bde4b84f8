// What a player has settled and withdrawn in an operation and a currency.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowOf } from '../statements.js';

export interface PlayerTotals {
  /** Sum of deposits that are `paid`. */
  readonly depositedMinor: bigint;
  /** Sum of withdrawals that are `paid`. */
  readonly withdrawnMinor: bigint;
  /** Sum of withdrawals that are not rejected, failed, cancelled or returned: pending ones count. */
  readonly committedMinor: bigint;
}

/** Null for a player who never transacted in the operation. One statement, so the sums belong together. */
export async function readPlayerTotals(
  database: Database,
  operationId: string,
  externalRef: string,
  currency: string,
): Promise<PlayerTotals | null> {
  const row = await rowOf<{ deposited: string; withdrawn: string; committed: string }>(
    database,
    Prisma.sql`
    SELECT
      (SELECT coalesce(sum(amount_minor), 0)::text FROM deposit
        WHERE operation_id = player.operation_id AND player_ref = player.external_ref AND currency = ${currency} AND status = 'paid') AS deposited,
      coalesce(sums.withdrawn, 0)::text AS withdrawn,
      coalesce(sums.committed, 0)::text AS committed
    FROM player, LATERAL (
      SELECT sum(amount_minor) FILTER (WHERE status = 'paid') AS withdrawn,
             sum(amount_minor) FILTER (WHERE status NOT IN ('rejected', 'failed', 'cancelled', 'returned')) AS committed
      FROM withdrawal WHERE operation_id = player.operation_id AND player_ref = player.external_ref AND currency = ${currency}
    ) AS sums
    WHERE player.operation_id = ${operationId} AND player.external_ref = ${externalRef}`,
  );
  if (row === null) return null;
  return {
    depositedMinor: BigInt(row.deposited),
    withdrawnMinor: BigInt(row.withdrawn),
    committedMinor: BigInt(row.committed),
  };
}
