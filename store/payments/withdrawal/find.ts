// A withdrawal's row: its columns, the reads of one withdrawal, and what they map to. Hot reads, so SQL by the driver
// (statements.ts).
import type { WriteOffAct } from '../../../domain/payments/write-off.js';
import type { WithdrawalDecision, WithdrawalSnapshot } from '../../../domain/payments/withdrawal.js';
import { Prisma } from '../../../prisma/generated/client.js';
import { type AuthenticatedRead, rowsOfRead } from '../../authenticated-read.js';
import type { Database } from '../../database.js';
import { rowOf } from '../../statements.js';

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
export const WITHDRAWAL_COLUMNS = Prisma.sql`
  id, operation_id AS "operationId", external_id AS "externalId", status, version,
  amount_minor AS "amountMinor", currency, fee_minor AS "feeMinor",
  player_ref AS "playerRef", provider, request_sealed AS "requestSealed",
  destination_type AS "destinationType", ip_hash IS NOT NULL AS "hasPlayerIp",
  decision_mode AS "decisionMode", decision_reasons AS "decisionReasons", rule_set_version AS "ruleSetVersion",
  decided_by AS "decidedBy", decided_at AS "decidedAt", psp_reference AS "pspReference", failure_code AS "failureCode",
  created_at AS "createdAt", updated_at AS "updatedAt", paid_at AS "paidAt", write_offs AS "writeOffs"`;

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

/** The operation's withdrawal with this id; `null` if there is none, or it is another operation's. */
export async function findWithdrawal(
  database: Database,
  operationId: string,
  id: string,
  found?: readonly object[],
): Promise<WithdrawalColumns | null> {
  return (await rowsOfRead<WithdrawalColumns>(database, operationId, withdrawalById(id), found))[0] ?? null;
}

/** The same as a read within authentication. */
export function withdrawalById(id: string): AuthenticatedRead {
  return {
    of: (operationId) =>
      Prisma.sql`SELECT ${WITHDRAWAL_COLUMNS} FROM withdrawal WHERE id = ${id} AND operation_id = ${operationId}`,
    planning: 'once',
  };
}

/** The operation's withdrawal with this `external_id`; `null` if there is none. */
export function findWithdrawalOfExternalId(
  database: Database,
  operationId: string,
  externalId: string,
): Promise<WithdrawalColumns | null> {
  return rowOf(
    database,
    Prisma.sql`
      SELECT ${WITHDRAWAL_COLUMNS} FROM withdrawal WHERE operation_id = ${operationId} AND external_id = ${externalId}`,
  );
}
