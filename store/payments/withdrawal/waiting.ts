// Approved withdrawals that have not left, and what they wait for. SQL, because it is in their last decision.
import type { DispatchWait } from '../../../domain/rules/verdicts.js';
import { mayHaveLeft, PAYOUT_SEND_STATES } from '../../../domain/payments/withdrawal.js';
import { Prisma } from '../../../prisma/generated/client.js';
import type { Database } from '../../database.js';

const LEFT = PAYOUT_SEND_STATES.filter(mayHaveLeft);

export interface WaitingWithdrawals {
  /** `null` for every operation. */
  readonly operationId: string | null;
  readonly wait: DispatchWait;
  readonly limit: number;
}

/**
 * The ids of the withdrawals that wait for this, then of those that may: no check of theirs has ended, or their last
 * one found nothing to wait for. A check may read its facts just before a change and store its decision after it.
 */
export async function waitingWithdrawals(
  database: Database,
  { operationId, wait, limit }: WaitingWithdrawals,
): Promise<string[]> {
  const ofOperation = operationId === null ? Prisma.sql`TRUE` : Prisma.sql`operation.id = ${operationId}`;
  const rows = await database.$queryRaw<{ id: string }[]>`
    SELECT withdrawal.id
    FROM operation
    JOIN withdrawal ON withdrawal.operation_id = operation.id AND withdrawal.status = 'approved'
    LEFT JOIN LATERAL (
      SELECT outcome->>'for' AS wait FROM decision
      WHERE object_id = withdrawal.id AND stage = 'dispatch' ORDER BY id DESC LIMIT 1
    ) AS last_check ON TRUE
    WHERE ${ofOperation} AND coalesce(last_check.wait, ${wait}) = ${wait}
      AND NOT EXISTS (
        SELECT FROM payout_send WHERE withdrawal_id = withdrawal.id AND state = ANY(${LEFT})
      )
    ORDER BY last_check.wait NULLS LAST, withdrawal.sequence LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}
