// A withdrawal's row: its columns, the reads of withdrawals, and what a row maps to; one statement reads a withdrawal
// with everything that decides about it. Hot reads, so SQL by the driver (statements.ts).
import type { WriteOffAct } from '../../../domain/payments/write-off.js';
import type {
  Judgement,
  PayoutSendState,
  WithdrawalDecision,
  WithdrawalSnapshot,
} from '../../../domain/payments/withdrawal.js';
import { Prisma } from '../../../prisma/generated/client.js';
import type { Database } from '../../database.js';
import { rowOf } from '../../statements.js';
import type { PaymentId } from '../../../contract/temporal/payment-steps.js';
import type { StoredWithdrawalOrder, WithdrawalOrder } from '../../../contract/temporal/payment.js';
import type { OperationClock } from '../../../domain/operation-clock.js';
import type { KeyOwnerFinding } from '../../../domain/rules/verdicts.js';
import type { PayoutSend, WithdrawalRecord } from '../../../domain/payments/withdrawal-record.js';
import { MissingRowError } from '../../errors.js';
import { readsOf } from '../reads.js';

/** A stored withdrawal. As statements.ts reads it. */
export interface WithdrawalColumns extends Omit<WithdrawalSnapshot, 'method' | 'decision' | 'writeOffs'> {
  /** The request: player, destination, context and metadata. */
  readonly requestSealed: Buffer;
  readonly destinationType: string;
  readonly hasPlayerIp: boolean;
  readonly decisionMode: WithdrawalDecision['mode'];
  readonly decisionReasons: WithdrawalDecision['reasons'];
  readonly ruleSetVersion: number;
  readonly decidedBy: WithdrawalDecision['decidedBy'];
  readonly decidedAt: string | null;
  readonly writeOffs: readonly WriteOffAct[];
}

/** The columns of a {@link WithdrawalColumns}. */
const WITHDRAWAL_COLUMNS = Prisma.sql`
  id, operation_id AS "operationId", external_id AS "externalId", status, version,
  amount_minor AS "amountMinor", currency, fee_minor AS "feeMinor",
  player_ref AS "playerRef", provider, request_sealed AS "requestSealed",
  destination_type AS "destinationType", ip_hash IS NOT NULL AS "hasPlayerIp",
  decision_mode AS "decisionMode", decision_reasons AS "decisionReasons", rule_set_version AS "ruleSetVersion",
  decided_by AS "decidedBy", decided_at AS "decidedAt", psp_reference AS "pspReference", failure_code AS "failureCode",
  created_at AS "createdAt", updated_at AS "updatedAt", paid_at AS "paidAt", write_offs AS "writeOffs"`;

/** The withdrawals of an operation: one, or pages. */
export const WITHDRAWALS = readsOf<WithdrawalColumns>(Prisma.sql`withdrawal`, WITHDRAWAL_COLUMNS);

/** The snapshot of a stored withdrawal. */
export function withdrawalSnapshot(row: WithdrawalColumns): WithdrawalSnapshot {
  return {
    id: row.id,
    operationId: row.operationId,
    externalId: row.externalId,
    status: row.status,
    version: row.version,
    amountMinor: row.amountMinor,
    currency: row.currency,
    feeMinor: row.feeMinor,
    method: 'pix',
    playerRef: row.playerRef,
    provider: row.provider,
    decision: {
      mode: row.decisionMode,
      reasons: row.decisionReasons,
      ruleSetVersion: row.ruleSetVersion,
      decidedBy: row.decidedBy,
      decidedAt: row.decidedAt,
    },
    pspReference: row.pspReference,
    failureCode: row.failureCode,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    paidAt: row.paidAt,
    // Hardly any withdrawal has one.
    ...(row.writeOffs.length === 0 ? {} : { writeOffs: row.writeOffs }),
  };
}

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
