// Reads one deposit with everything that decides about it, and the events that its process has not seen. One statement.
import type { PublishedEvent } from '../../contract/temporal/transitions.js';
import type { DepositRecord, ReturnRequest } from '../../domain/deposit-record.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { isUnseenSql } from '../events/unseen.js';
import { rowOf } from '../statements.js';
import { DEPOSIT_COLUMNS, type DepositRow, depositSnapshot, sealedPayerOf } from './rows.js';

/** A deposit's record with what its next steps need. */
export interface KeptDeposit extends DepositRecord {
  readonly operationName: string;
  readonly environment: 'sandbox' | 'production';
  /** Sealed `SealedDepositRequest`. */
  readonly sealedRequest: string;
  /** Sealed DepositPayer; null until a payment is recorded. */
  readonly sealedPayer: string | null;
}

export interface DepositReading {
  readonly kept: KeptDeposit;
  /** Published since `seenVersion` and left to its process to deliver, oldest first. */
  readonly events: readonly PublishedEvent[];
}

export interface DepositToRead {
  readonly id: string;
  readonly operationId: string;
  readonly seenVersion: number;
}

type KeptRow = DepositRow &
  Pick<KeptDeposit, 'operationName' | 'environment' | 'revision' | 'extraPayments' | 'fees' | 'reversedMinor'> & {
    readonly requestSealed: Buffer;
    readonly returnRequest: ReturnRequest | null;
    readonly events: readonly PublishedEvent[];
  };

/** `null` if the operation has no such deposit. */
export async function readDeposit(
  database: Database,
  { id, operationId, seenVersion }: DepositToRead,
): Promise<DepositReading | null> {
  const row = await rowOf<KeptRow>(
    database,
    Prisma.sql`
      SELECT kept.*, operation.name AS "operationName", operation.environment,
        (
          SELECT coalesce(jsonb_agg(jsonb_build_object('id', event.id, 'type', event.type)
            ORDER BY event.object_version), '[]')
          FROM event WHERE ${isUnseenSql({ id: Prisma.sql`kept.id`, version: Prisma.sql`kept.version` }, seenVersion)}
        ) AS events
      FROM (
        SELECT ${DEPOSIT_COLUMNS}, request_sealed AS "requestSealed", revision, return_request AS "returnRequest",
          extra_payments AS "extraPayments", fees, reversed_minor::text AS "reversedMinor"
        FROM deposit WHERE id = ${id} AND operation_id = ${operationId}
      ) AS kept
      JOIN operation ON operation.id = kept."operationId"`,
  );
  return row === null ? null : { kept: keptDeposit(row), events: row.events };
}

function keptDeposit(row: KeptRow): KeptDeposit {
  const { revision, returnRequest, extraPayments, fees, reversedMinor } = row;
  const { operationName, environment, requestSealed } = row;
  return {
    snapshot: depositSnapshot(row),
    revision,
    returnRequest,
    extraPayments,
    fees,
    reversedMinor,
    operationName,
    environment,
    sealedRequest: requestSealed.toString('base64url'),
    sealedPayer: sealedPayerOf(row),
  };
}
