// Deposits between Postgres rows and the domain's snapshot.
import type { DepositPayer, DepositReviewReason, DepositSnapshot, DepositStatus, ReviewDecision } from '../domain/deposit.js';
import type { Deposit } from '../prisma/generated/client.js';
import { type Database, toBigInt } from './client.js';
import type { Sealer } from './sealing.js';

/** The snapshot of a stored deposit. */
export function depositSnapshot(row: Deposit): DepositSnapshot {
  return {
    id: row.id,
    operationId: row.operationId,
    externalId: row.externalId,
    status: row.status as DepositStatus,
    version: row.version,
    amountMinor: toBigInt(row.amountMinor).toString(),
    currency: row.currency,
    paidAmountMinor: row.paidAmountMinor === null ? null : toBigInt(row.paidAmountMinor).toString(),
    method: 'pix',
    playerRef: row.playerRef,
    provider: row.provider,
    instructions: instructionsOf(row),
    failureCode: row.failureCode,
    reviewReasons: row.reviewReasons as DepositReviewReason[],
    decidedBy: row.decidedBy as unknown as ReviewDecision[],
    endToEndId: row.endToEndId,
    hasPayer: row.payerSealed !== null,
    latePayment: row.latePayment,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    paidAt: row.paidAt?.toISOString() ?? null,
    expiresAt: row.expiresAt.toISOString(),
  };
}

function instructionsOf(row: Deposit) {
  if (row.copyPaste === null) return null;
  const expiresAt = (row.instructionsExpiresAt ?? row.expiresAt).toISOString();
  return { copyPaste: row.copyPaste, qrCodePngBase64: row.qrCodePngBase64, expiresAt };
}

/** The payer of a stored deposit, unsealed; null where no payment was recorded. */
export function depositPayer(row: Pick<Deposit, 'payerSealed'>, sealer: Sealer): DepositPayer | null {
  return row.payerSealed === null ? null : sealer.openJson<DepositPayer>(row.payerSealed);
}

/** The deposit of that id in that operation; null if there is none (another operation's counts as none). */
export async function findDeposit(database: Database, operationId: string, id: string): Promise<Deposit | null> {
  return database.deposit.findFirst({ where: { id, operationId } });
}
