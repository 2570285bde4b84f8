// A withdrawal with everything that decides about it, read at one moment. Hot read, so SQL by the driver
// (statements.ts).
import type { PaymentId } from '../../../contract/temporal/payment-steps.js';
import type { StoredWithdrawalOrder, WithdrawalOrder } from '../../../contract/temporal/payment.js';
import type { OperationClock } from '../../../domain/operation-clock.js';
import type { KeyOwnerFinding } from '../../../domain/rules/verdicts.js';
import type { Judgement, PayoutSendState } from '../../../domain/payments/withdrawal.js';
import type { PayoutSend, WithdrawalRecord } from '../../../domain/payments/withdrawal-record.js';
import { Prisma } from '../../../prisma/generated/client.js';
import type { Database } from '../../database.js';
import { MissingRowError } from '../../missing-row.js';
import { rowOf } from '../../statements.js';
import { WITHDRAWAL_COLUMNS, type WithdrawalColumns, withdrawalSnapshot } from './find.js';

/** A withdrawal with everything that its steps decide by, as it was read. */
export interface WithdrawalRow {
  readonly record: WithdrawalRecord;
  readonly order: StoredWithdrawalOrder;
  /** The operation's clock; null or absent: real time. */
  readonly clock?: OperationClock | null;
  /** The database's clock at the read, RFC 3339. */
  readonly readAt: string;
}

interface Columns extends WithdrawalColumns {
  readonly revision: number;
  readonly reviewRequested: boolean;
  readonly keyOwner: KeyOwnerFinding;
  readonly lookupEndToEndId: string | null;
  readonly judgement: Judgement;
  readonly returnedParts: WithdrawalRecord['returnedParts'];
  readonly operationName: string;
  readonly environment: WithdrawalOrder['environment'];
  readonly clock: OperationClock | null;
  readonly sendState: PayoutSendState | null;
  readonly attempt: string | null;
  readonly claimedAt: string | null;
  readonly tracelessLookUps: number | null;
  readonly tracelessSince: string | null;
  readonly tracelessLastAt: string | null;
  readonly readAt: string;
}

/** Throws MissingRowError. */
export async function readWithdrawal(database: Database, { id, operationId }: PaymentId): Promise<WithdrawalRow> {
  const columns = await rowOf<Columns>(
    database,
    Prisma.sql`
      SELECT ${WITHDRAWAL_COLUMNS}, revision, review_requested AS "reviewRequested", key_owner AS "keyOwner",
        lookup_end_to_end_id AS "lookupEndToEndId", judgement, returned_parts AS "returnedParts",
        operation.name AS "operationName", operation.environment, operation.clock,
        send.state AS "sendState", send.attempt, send.claimed_at AS "claimedAt", send.traceless_look_ups AS "tracelessLookUps",
        send.traceless_since AS "tracelessSince", send.traceless_last_at AS "tracelessLastAt",
        date_trunc('milliseconds', now()) AS "readAt"
      FROM withdrawal
      CROSS JOIN LATERAL (SELECT name, environment, clock FROM operation WHERE operation.id = withdrawal.operation_id) AS operation
      LEFT JOIN LATERAL (
        SELECT state, attempt, claimed_at, traceless_look_ups, traceless_since, traceless_last_at FROM payout_send
        WHERE withdrawal_id = withdrawal.id
      ) AS send ON TRUE
      WHERE id = ${id} AND operation_id = ${operationId}`,
  );
  if (columns === null) throw new MissingRowError('Withdrawal', `withdrawal ${id} does not exist`);
  const { keyOwner, lookupEndToEndId, judgement, returnedParts, revision, readAt } = columns;
  const snapshot = withdrawalSnapshot(columns);
  return {
    record: { snapshot, revision, keyOwner, lookupEndToEndId, judgement, send: sendOf(columns), returnedParts },
    order: orderOf(columns),
    clock: columns.clock,
    readAt,
  };
}

function sendOf(columns: Columns): PayoutSend | null {
  const {
    sendState: state,
    attempt,
    claimedAt,
    tracelessLookUps,
    tracelessSince: since,
    tracelessLastAt: lastAt,
  } = columns;
  const traceless = { lookUps: tracelessLookUps ?? 0, since, lastAt };
  return state === null ? null : { state, attempt, claimedAt, traceless };
}

function orderOf(columns: Columns): StoredWithdrawalOrder {
  return {
    id: columns.id,
    operationId: columns.operationId,
    operationName: columns.operationName,
    environment: columns.environment,
    provider: columns.provider,
    externalId: columns.externalId,
    playerRef: columns.playerRef,
    amountMinor: columns.amountMinor,
    currency: columns.currency,
    reviewRequested: columns.reviewRequested,
    hasPlayerIp: columns.hasPlayerIp,
    destinationType: columns.destinationType,
    sealedRequest: columns.requestSealed.toString('base64url'),
  };
}
