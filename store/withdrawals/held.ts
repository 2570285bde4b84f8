// A withdrawal with everything that decides about it, read at one moment. Hot read, so SQL by the driver
// (statements.ts).
import type { WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import type { KeyOwnerFinding } from '../../domain/rules/verdicts.js';
import type { Judgement, PayoutSendState } from '../../domain/withdrawal.js';
import type { PayoutSend, WithdrawalRecord } from '../../domain/withdrawal-record.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { MissingRowError } from '../missing-row.js';
import { rowOf } from '../statements.js';
import { WITHDRAWAL_COLUMNS, type WithdrawalRow, withdrawalSnapshot } from './rows.js';

/** The order as the row keeps it: the number of the operator's own reasons is in the sealed request. */
export type StoredOrder = Omit<WithdrawalOrder, 'operatorReasons' | 'proof'>;

export interface HeldWithdrawal {
  readonly record: WithdrawalRecord;
  readonly order: StoredOrder;
  /** The operation's clock; null or absent: real time. */
  readonly clock?: OperationClock | null;
  /** The database's clock at the read, RFC 3339. */
  readonly readAt: string;
}

export interface WithdrawalRef {
  readonly id: string;
  readonly operationId: string;
}

interface HeldRow extends WithdrawalRow {
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
export async function readWithdrawal(database: Database, { id, operationId }: WithdrawalRef): Promise<HeldWithdrawal> {
  const row = await rowOf<HeldRow>(
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
  if (row === null) throw new MissingRowError('Withdrawal', `withdrawal ${id} does not exist`);
  const { keyOwner, lookupEndToEndId, judgement, returnedParts, revision, readAt } = row;
  const snapshot = withdrawalSnapshot(row);
  return {
    record: { snapshot, revision, keyOwner, lookupEndToEndId, judgement, send: sendOf(row), returnedParts },
    order: orderOf(row),
    clock: row.clock,
    readAt,
  };
}

function sendOf(row: HeldRow): PayoutSend | null {
  const {
    sendState: state,
    attempt,
    claimedAt,
    tracelessLookUps,
    tracelessSince: since,
    tracelessLastAt: lastAt,
  } = row;
  const traceless = { lookUps: tracelessLookUps ?? 0, since, lastAt };
  return state === null ? null : { state, attempt, claimedAt, traceless };
}

function orderOf(row: HeldRow): StoredOrder {
  return {
    withdrawalId: row.id,
    operationId: row.operationId,
    operationName: row.operationName,
    environment: row.environment,
    provider: row.provider,
    externalId: row.externalId,
    playerRef: row.playerRef,
    amountMinor: row.amountMinor,
    currency: row.currency,
    reviewRequested: row.reviewRequested,
    hasPlayerIp: row.hasPlayerIp,
    destinationType: row.destinationType,
    sealedRequest: row.requestSealed.toString('base64url'),
  };
}
