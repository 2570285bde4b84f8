// A deposit's row: its columns, the reads of one deposit, and what they map to. Hot reads, so SQL by the driver
// (statements.ts).
import type { DepositPayer, DepositSnapshot } from '../../../domain/payments/deposit.js';
import { Prisma } from '../../../prisma/generated/client.js';
import { type AuthenticatedRead, rowsOfRead } from '../../authenticated-read.js';
import type { Database } from '../../database.js';
import { placeOf } from '../../sealing/places.js';
import type { Sealer } from '../../sealing/sealer.js';
import { rowOf } from '../../statements.js';

/** A stored deposit without the sealed request. As statements.ts reads it. */
export interface DepositColumns extends Omit<DepositSnapshot, 'method' | 'instructions' | 'hasPayer'> {
  readonly payerSealed: Buffer | null;
  readonly copyPaste: string | null;
  readonly qrCodePngBase64: string | null;
  readonly instructionsExpiresAt: string | null;
}

/** The columns of a {@link DepositColumns}. */
export const DEPOSIT_COLUMNS = Prisma.sql`
  id, operation_id AS "operationId", external_id AS "externalId", status, version,
  amount_minor AS "amountMinor", currency, paid_amount_minor AS "paidAmountMinor",
  player_ref AS "playerRef", provider, payer_sealed AS "payerSealed",
  copy_paste AS "copyPaste", qr_code_png_base64 AS "qrCodePngBase64",
  instructions_expires_at AS "instructionsExpiresAt",
  end_to_end_id AS "endToEndId", failure_code AS "failureCode", review_reasons AS "reviewReasons",
  decided_by AS "decidedBy", late_payment AS "latePayment",
  created_at AS "createdAt", updated_at AS "updatedAt", paid_at AS "paidAt", expires_at AS "expiresAt"`;

/** The snapshot of a stored deposit. */
export function depositSnapshot(row: DepositColumns): DepositSnapshot {
  return {
    id: row.id,
    operationId: row.operationId,
    externalId: row.externalId,
    status: row.status,
    version: row.version,
    amountMinor: row.amountMinor,
    currency: row.currency,
    paidAmountMinor: row.paidAmountMinor,
    method: 'pix',
    playerRef: row.playerRef,
    provider: row.provider,
    instructions: instructionsOf(row),
    failureCode: row.failureCode,
    reviewReasons: row.reviewReasons,
    decidedBy: row.decidedBy,
    endToEndId: row.endToEndId,
    hasPayer: row.payerSealed !== null,
    latePayment: row.latePayment,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    paidAt: row.paidAt,
    expiresAt: row.expiresAt,
  };
}

function instructionsOf({ copyPaste, qrCodePngBase64, instructionsExpiresAt, expiresAt }: DepositColumns) {
  return copyPaste === null ? null : { copyPaste, qrCodePngBase64, expiresAt: instructionsExpiresAt ?? expiresAt };
}

/** The payer of a stored deposit, unsealed; null if no payment was recorded. */
export function depositPayer(
  { id, operationId, payerSealed }: Pick<DepositColumns, 'id' | 'operationId' | 'payerSealed'>,
  sealer: Sealer,
): DepositPayer | null {
  if (payerSealed === null) return null;
  return sealer.openJson<DepositPayer>(placeOf('deposit.payer_sealed', operationId, { id }), payerSealed);
}

/** The payer of a stored deposit, still sealed, as it crosses Temporal; null if no payment was recorded. */
export function sealedPayerOf({ payerSealed }: Pick<DepositColumns, 'payerSealed'>): string | null {
  return payerSealed === null ? null : payerSealed.toString('base64url');
}

/** The operation's deposit with this id; `null` if there is none, or it is another operation's. */
export async function findDeposit(
  database: Database,
  operationId: string,
  id: string,
  found?: readonly object[],
): Promise<DepositColumns | null> {
  return (await rowsOfRead<DepositColumns>(database, operationId, depositById(id), found))[0] ?? null;
}

/** Whether the return to its payer that this act requested is not over. */
export async function isReturning(
  database: Database,
  { actId, subjectId: id }: { readonly actId: string; readonly subjectId: string },
): Promise<boolean> {
  return (await database.deposit.count({ where: { id, returnRequest: { path: ['actId'], equals: actId } } })) > 0;
}

/** The same as a read within authentication. */
export function depositById(id: string): AuthenticatedRead {
  return {
    of: (operationId) =>
      Prisma.sql`SELECT ${DEPOSIT_COLUMNS} FROM deposit WHERE id = ${id} AND operation_id = ${operationId}`,
    planning: 'once',
  };
}

/** The operation's deposit with this `external_id`; `null` if there is none. */
export function findDepositOfExternalId(
  database: Database,
  operationId: string,
  externalId: string,
): Promise<DepositColumns | null> {
  return rowOf(
    database,
    Prisma.sql`
      SELECT ${DEPOSIT_COLUMNS} FROM deposit WHERE operation_id = ${operationId} AND external_id = ${externalId}`,
  );
}
