// Reads one deposit with everything that decides about it, in one statement.
import type { DepositRecord, ReturnRequest } from '../../domain/deposit-record.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowOf } from '../statements.js';
import { DEPOSIT_COLUMNS, type DepositRow, depositSnapshot, sealedPayerOf } from './rows.js';

/** A deposit's record with what its next steps need. */
export interface KeptDeposit extends DepositRecord {
  readonly operationName: string;
  readonly environment: 'sandbox' | 'production';
  /** The operation's clock; null or absent: real time. */
  readonly clock?: OperationClock | null;
  /** Sealed `SealedDepositRequest`. */
  readonly sealedRequest: string;
  /** Sealed DepositPayer; null until a payment is recorded. */
  readonly sealedPayer: string | null;
}

export interface DepositToRead {
  readonly id: string;
  readonly operationId: string;
}

type KeptRow = DepositRow &
  Pick<
    KeptDeposit,
    | 'operationName'
    | 'environment'
    | 'clock'
    | 'revision'
    | 'returns'
    | 'extraPayments'
    | 'fees'
    | 'returnedParts'
    | 'suspenseCredits'
    | 'isReturnInDoubt'
  > & {
    readonly requestSealed: Buffer;
    readonly returnRequest: ReturnRequest | null;
  };

/** `null` if the operation has no such deposit. */
export async function readDeposit(database: Database, { id, operationId }: DepositToRead): Promise<KeptDeposit | null> {
  const row = await rowOf<KeptRow>(
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
  return row === null ? null : keptDeposit(row);
}

function keptDeposit(row: KeptRow): KeptDeposit {
  const { revision, returnRequest, returns, extraPayments, fees, returnedParts, isReturnInDoubt } = row;
  const { suspenseCredits, operationName, environment, clock, requestSealed } = row;
  return {
    snapshot: depositSnapshot(row),
    revision,
    returnRequest,
    returns,
    extraPayments,
    fees,
    returnedParts,
    suspenseCredits,
    isReturnInDoubt,
    operationName,
    environment,
    clock: clock ?? null,
    sealedRequest: requestSealed.toString('base64url'),
    sealedPayer: sealedPayerOf(row),
  };
}
