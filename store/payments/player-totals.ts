// What a player has deposited and withdrawn in an operation and a currency. A hot read, so SQL by the driver
// (statements.ts).
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowOf } from '../statements.js';
import { DEPOSIT_SETTLED, WITHDRAWAL_COUNTS, WITHDRAWAL_SETTLED } from './standing-sql.js';

export interface PlayerTotals {
  /** The sum of settled deposits. */
  readonly depositedMinor: bigint;
  /** The sum of settled withdrawals. */
  readonly withdrawnMinor: bigint;
  /** The sum of withdrawals that count: settled and open ones. */
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
    totalsSql(operationId, externalRef, currency),
  );
  if (row === null) return null;
  return {
    depositedMinor: BigInt(row.deposited),
    withdrawnMinor: BigInt(row.withdrawn),
    committedMinor: BigInt(row.committed),
  };
}

function totalsSql(operationId: string, externalRef: string, currency: string): Prisma.Sql {
  const payments = Prisma.sql`
      operation_id = player.operation_id AND player_ref = player.external_ref AND currency = ${currency}`;
  return Prisma.sql`
    SELECT
      (SELECT coalesce(sum(amount_minor), 0)::text FROM deposit WHERE ${payments} AND ${DEPOSIT_SETTLED}) AS deposited,
      coalesce(sums.withdrawn, 0)::text AS withdrawn,
      coalesce(sums.committed, 0)::text AS committed
    FROM player, LATERAL (
      SELECT sum(amount_minor) FILTER (WHERE ${WITHDRAWAL_SETTLED}) AS withdrawn,
        sum(amount_minor) FILTER (WHERE ${WITHDRAWAL_COUNTS}) AS committed
      FROM withdrawal WHERE ${payments}
    ) AS sums
    WHERE player.operation_id = ${operationId} AND player.external_ref = ${externalRef}`;
}
