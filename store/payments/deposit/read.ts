// A deposit's row: its columns, the reads of deposits, and what a row maps to; one statement reads a deposit with
// everything that decides about it. Hot reads, so SQL by the driver (statements.ts).
import type { DepositPayer, DepositSnapshot } from '../../../domain/payments/deposit.js';
import { Prisma } from '../../../prisma/generated/client.js';
import type { Database } from '../../database.js';
import { placeOf } from '../../sealing/places.js';
import type { Sealer } from '../../sealing/sealer.js';
import { rowOf } from '../../statements.js';
import type { StoredDepositOrder } from '../../../contract/temporal/payment.js';
import type { PaymentId } from '../../../contract/temporal/payment-steps.js';
import { amountsById } from '../../../domain/money.js';
import type { DepositRecord } from '../../../domain/payments/deposit-record.js';
import type { OperationClock } from '../../../domain/operation-clock.js';
import { MissingRowError } from '../../errors.js';
import { readsOf } from '../reads.js';

/** A stored deposit without the sealed request. As statements.ts reads it. */
export interface DepositColumns extends Omit<DepositSnapshot, 'method' | 'instructions' | 'hasPayer'> {
  readonly payerSealed: Buffer | null;
  readonly copyPaste: string | null;
  readonly qrCodePngBase64: string | null;
  readonly instructionsExpiresAt: string | null;
}

/** The columns of a {@link DepositColumns}. */
const DEPOSIT_COLUMNS = Prisma.sql`
  id, operation_id AS "operationId", external_id AS "externalId", status, version,
  amount_minor AS "amountMinor", currency, paid_amount_minor AS "paidAmountMinor",
  player_ref AS "playerRef", provider, payer_sealed AS "payerSealed",
  copy_paste AS "copyPaste", qr_code_png_base64 AS "qrCodePngBase64",
  instructions_expires_at AS "instructionsExpiresAt",
  end_to_end_id AS "endToEndId", failure_code AS "failureCode", review_reasons AS "reviewReasons",
  decided_by AS "decidedBy", late_payment AS "latePayment",
  created_at AS "createdAt", updated_at AS "updatedAt", paid_at AS "paidAt", expires_at AS "expiresAt"`;

/** The deposits of an operation: one, or pages. */
export const DEPOSITS = readsOf<DepositColumns>(Prisma.sql`deposit`, DEPOSIT_COLUMNS);

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
function sealedPayerOf({ payerSealed }: Pick<DepositColumns, 'payerSealed'>): string | null {
  return payerSealed === null ? null : payerSealed.toString('base64url');
}

/** Whether the return to its payer that this act requested is not over. */
export async function isReturning(
  database: Database,
  { actId, subjectId: id }: { readonly actId: string; readonly subjectId: string },
): Promise<boolean> {
  return (await database.deposit.count({ where: { id, returnRequest: { path: ['actId'], equals: actId } } })) > 0;
}

/** A deposit with everything that its steps decide by, as it was read. */
export interface DepositRow {
  readonly record: DepositRecord;
  readonly order: StoredDepositOrder;
  /** Sealed DepositPayer; null until a payment is recorded. */
  readonly sealedPayer: string | null;
  /** The operation's clock; null or absent: real time. */
  readonly clock?: OperationClock | null;
}

/** What of a record stands in columns of its own. */
interface RecordColumns extends Omit<DepositRecord, 'snapshot' | 'fees' | 'suspenseCredits'> {
  readonly fees: Readonly<Record<string, string>>;
  readonly suspenseCredits: Readonly<Record<string, string>>;
}

interface Columns extends DepositColumns, RecordColumns {
  readonly requestSealed: Buffer;
  readonly operationName: string;
  readonly environment: StoredDepositOrder['environment'];
  readonly clock: OperationClock | null;
}

/** Throws MissingRowError. */
export async function readDeposit(database: Database, { id, operationId }: PaymentId): Promise<DepositRow> {
  const columns = await rowOf<Columns>(
    database,
    Prisma.sql`
      SELECT kept.*, operation.name AS "operationName", operation.environment, operation.clock
      FROM (
        SELECT ${DEPOSIT_COLUMNS}, request_sealed AS "requestSealed", revision, return_request AS "returnRequest",
          returns, extra_payments AS "extraPayments", fees, returned_parts AS "returnedParts",
          suspense_credits AS "suspenseCredits", return_in_doubt AS "isReturnInDoubt"
        FROM deposit WHERE id = ${id} AND operation_id = ${operationId}
      ) AS kept
      JOIN operation ON operation.id = kept."operationId"`,
  );
  if (columns === null) throw new MissingRowError('Deposit', `deposit ${id} does not exist`);
  const { clock } = columns;
  return { record: recordOf(columns), order: orderOf(columns), sealedPayer: sealedPayerOf(columns), clock };
}

function recordOf(columns: Columns): DepositRecord {
  const { revision, returnRequest, returns, extraPayments, returnedParts, isReturnInDoubt } = columns;
  const fees = amountsById(columns.fees);
  const suspenseCredits = amountsById(columns.suspenseCredits);
  const payments = { extraPayments, fees, returnedParts, suspenseCredits, isReturnInDoubt };
  return { snapshot: depositSnapshot(columns), revision, returnRequest, returns, ...payments };
}

/** Requests to the provider are built from the row, never from a caller's input. */
function orderOf(columns: Columns): StoredDepositOrder {
  const { id, operationId, operationName, environment, provider, externalId, playerRef } = columns;
  const { amountMinor, currency, createdAt, expiresAt, requestSealed } = columns;
  return {
    id,
    operationId,
    operationName,
    environment,
    provider,
    externalId,
    playerRef,
    amountMinor,
    currency,
    expiresInSeconds: Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 1000),
    sealedRequest: requestSealed.toString('base64url'),
  };
}
