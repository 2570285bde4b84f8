// Reads one deposit with everything that decides about it, in one statement.
import type { StoredDepositOrder } from '../../../contract/temporal/payment.js';
import type { PaymentId } from '../../../contract/temporal/payment-steps.js';
import { amountsById } from '../../../domain/money.js';
import type { DepositRecord } from '../../../domain/payments/deposit-record.js';
import type { OperationClock } from '../../../domain/operation-clock.js';
import { Prisma } from '../../../prisma/generated/client.js';
import type { Database } from '../../database.js';
import { MissingRowError } from '../../missing-row.js';
import { rowOf } from '../../statements.js';
import { DEPOSIT_COLUMNS, type DepositColumns, depositSnapshot, sealedPayerOf } from './find.js';

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
