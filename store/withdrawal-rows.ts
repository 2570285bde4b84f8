// Withdrawals between Postgres rows and the domain's snapshot.
import type { ReviewDecision } from '../domain/deposit.js';
import type { ConclusionAct } from '../domain/lost-payout.js';
import type { WithdrawalSnapshot, WithdrawalStatus } from '../domain/withdrawal.js';
import type { Withdrawal } from '../prisma/generated/client.js';
import { type Database, toBigInt } from './client.js';

/** The snapshot of a stored withdrawal. */
export function withdrawalSnapshot(row: Withdrawal): WithdrawalSnapshot {
  return {
    id: row.id,
    operationId: row.operationId,
    externalId: row.externalId,
    status: row.status as WithdrawalStatus,
    version: row.version,
    amountMinor: toBigInt(row.amountMinor).toString(),
    currency: row.currency,
    feeMinor: row.feeMinor === null ? null : toBigInt(row.feeMinor).toString(),
    method: 'pix',
    playerRef: row.playerRef,
    provider: row.provider,
    decision: {
      mode: row.decisionMode as 'automatic' | 'manual',
      reasons: row.decisionReasons,
      ruleSetVersion: row.ruleSetVersion,
      decidedBy: row.decidedBy as unknown as ReviewDecision[],
      decidedAt: row.decidedAt?.toISOString() ?? null,
    },
    pspReference: row.pspReference,
    failureCode: row.failureCode,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    paidAt: row.paidAt?.toISOString() ?? null,
    conclusions: row.conclusions as unknown as ConclusionAct[],
  };
}

/** The withdrawal of that id in that operation; null if there is none (another operation's counts as none). */
export async function findWithdrawal(database: Database, operationId: string, id: string): Promise<Withdrawal | null> {
  return database.withdrawal.findFirst({ where: { id, operationId } });
}
