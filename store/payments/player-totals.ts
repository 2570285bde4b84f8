// The amounts that a player has deposited and withdrawn in an operation and a currency, from the kept sums. A hot read,
// so SQL by the driver (statements.ts).
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowOf } from '../statements.js';

export interface PlayerTotals {
  /** The sum of settled deposits. */
  readonly depositedMinor: bigint;
  /** The sum of settled withdrawals. */
  readonly withdrawnMinor: bigint;
  /** The sum of withdrawals that count: settled and open ones. */
  readonly committedMinor: bigint;
}

/** `null` for a player who never transacted in the operation. One statement, so that the sums are consistent. */
export function readPlayerTotals(
  database: Database,
  operationId: string,
  externalRef: string,
  currency: string,
): Promise<PlayerTotals | null> {
  return rowOf<PlayerTotals>(
    database,
    Prisma.sql`
      SELECT coalesce(max(settled_minor) FILTER (WHERE kind = 'deposit'), 0) AS "depositedMinor",
        coalesce(max(settled_minor) FILTER (WHERE kind = 'withdrawal'), 0) AS "withdrawnMinor",
        coalesce(max(counted_minor) FILTER (WHERE kind = 'withdrawal'), 0) AS "committedMinor"
      FROM player
      LEFT JOIN player_sum ON player_sum.operation_id = player.operation_id
        AND player_sum.player_ref = player.external_ref AND player_sum.currency = ${currency}
      WHERE player.operation_id = ${operationId} AND player.external_ref = ${externalRef}
      GROUP BY player.operation_id, player.external_ref`,
  );
}
