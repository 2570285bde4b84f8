// The conditions of the permission to send a payout, as one expression: the sealed request, the row, the ledger, the
// rules' decision, the acts of people, the operation, its block lists and the environment must agree.
import type { PermissionRefusal } from '../../domain/permissions.js';
import { CLEARANCE_SECONDS, NEEDS_TWO_PEOPLE } from '../../domain/withdrawal.js';
import { Prisma } from '../../prisma/generated/client.js';
import { isPausedSql } from '../operations/provider-pauses.js';
import { refusalSql } from '../payments/refusal-sql.js';
import { reservedSql } from '../payments/reserved-sql.js';
import { IS_DESTINATION_BLOCKED, IS_DOCUMENT_BLOCKED, IS_PLAYER_BLOCKED } from '../rules/blocked-sql.js';
import { documentHash, pixKeyHash } from '../sealing/lookup-hashes.js';
import { openWithdrawalRequest } from '../sealing/sealed-requests.js';
import type { Sealer } from '../sealing/sealer.js';
import type { HeldWithdrawal } from './held.js';

/** The condition that a permission may be taken, of a statement with `payout_send`. */
export const IS_CLEARED = Prisma.sql`payout_send.state = 'cleared'
        AND payout_send.cleared_at > clock_timestamp() - make_interval(secs => ${CLEARANCE_SECONDS}::int)`;

/** It is as it was read, and may be sent. */
export function isApprovedSql({ record: { snapshot, revision } }: HeldWithdrawal): Prisma.Sql {
  return Prisma.sql`withdrawal.id = ${snapshot.id} AND withdrawal.operation_id = ${snapshot.operationId}
          AND withdrawal.status = 'approved' AND withdrawal.judgement = 'passed'
          AND withdrawal.revision = ${revision}`;
}

/**
 * CTE `asked`: one row with `refusal`, the reason why the permission is not given; `null` if there is none. No row if
 * there is no such withdrawal. Reasons that only tampering leads to come before those of honest use.
 */
export function askedSql(sealer: Sealer, held: HeldWithdrawal, environment: 'sandbox' | 'production'): Prisma.Sql {
  const { id, operationId } = held.record.snapshot;
  const { player, amount, destination } = openWithdrawalRequest(sealer, held.order);
  const { key, key_type } = destination.pix;
  const refusal = refusalSql(
    ['changed', Prisma.sql`NOT coalesce(${isApprovedSql(held)} AND payout_send.state = 'cleared', FALSE)`],
    [
      'other_amount',
      Prisma.sql`(withdrawal.amount_minor, withdrawal.currency) <> (${amount.amount}::numeric, ${amount.currency})`,
    ],
    [
      'other_destination',
      Prisma.sql`withdrawal.destination_hash <> ${pixKeyHash(sealer, operationId, key, key_type)}::bytea`,
    ],
    [
      'other_document',
      Prisma.sql`player.document_hash
            IS DISTINCT FROM ${documentHash(sealer, operationId, player.document.number)}::bytea`,
    ],
    ['not_in_ledger', Prisma.sql`withdrawal.amount_minor IS DISTINCT FROM ${RESERVED}`],
    ['not_decided', Prisma.sql`NOT ${IS_DECIDED}`],
    ['other_environment', Prisma.sql`operation.environment <> ${environment}`],
    ['checks_too_old', Prisma.sql`NOT (${IS_CLEARED})`],
    ...FORBIDS,
  );
  return Prisma.sql`
      asked AS (
        SELECT ${refusal} AS refusal ${fromWithdrawalSql(id, operationId)}
      )`;
}

/** What people, or the operator, may say at any moment. It forbids the permission, and a send that is not under way. */
const FORBIDS: readonly (readonly [PermissionRefusal, Prisma.Sql])[] = [
  ['provider_paused', isPausedSql(Prisma.sql`withdrawal.provider`)],
  ['operation_suspended', Prisma.sql`operation.status <> 'active'`],
  [
    'automatic_stopped',
    Prisma.sql`withdrawal.decision_mode = 'automatic' AND operation.automatic_stopped_at IS NOT NULL`,
  ],
  ['listed', Prisma.sql`${IS_PLAYER_BLOCKED} OR ${IS_DOCUMENT_BLOCKED} OR ${IS_DESTINATION_BLOCKED}`],
];

/** One row with `refusal`, what forbids the send by now; `null` if nothing does. */
export function forbiddenSql({ record: { snapshot } }: HeldWithdrawal): Prisma.Sql {
  const { id, operationId } = snapshot;
  return Prisma.sql`SELECT ${refusalSql(...FORBIDS)} AS refusal ${fromWithdrawalSql(id, operationId)}`;
}

function fromWithdrawalSql(id: string, operationId: string): Prisma.Sql {
  return Prisma.sql`
        FROM withdrawal
        JOIN operation ON operation.id = withdrawal.operation_id
        LEFT JOIN payout_send ON payout_send.withdrawal_id = withdrawal.id
        LEFT JOIN player
          ON player.operation_id = withdrawal.operation_id AND player.external_ref = withdrawal.player_ref
        WHERE withdrawal.id = ${id} AND withdrawal.operation_id = ${operationId}`;
}

/** The amount that was reserved and is neither released nor paid. */
const RESERVED = reservedSql(Prisma.sql`withdrawal`, 'pending_out');

/** The outcome of the rules' last decision before the checks of the send. */
const JUDGED = Prisma.sql`(
            SELECT (array_agg(decision.outcome ORDER BY decision.id DESC))[1] FROM decision
            WHERE decision.object_id = withdrawal.id AND decision.operation_id = withdrawal.operation_id
              AND decision.stage IN ('creation', 'dict', 'review')
          )`;

/** The different people whose acts approved the version before this one. `done` means that the act is used up. */
const APPROVALS = Prisma.sql`(
            SELECT count(DISTINCT act.staff_handle) FROM staff_act AS act
            WHERE act.subject_id = withdrawal.id AND act.operation_id = withdrawal.operation_id
              AND act.kind = 'withdrawal.approve' AND act.subject_version = withdrawal.version - 1
              AND act.outcome = 'done'
          )`;

/**
 * A withdrawal was decided by the rules alone if their stored decision says so and it was never under review (a trigger
 * keeps `review_since`). Otherwise as many people must have approved it as the reasons require, those of the row and
 * those of the stored decision.
 */
const IS_DECIDED = Prisma.sql`CASE withdrawal.decision_mode
            WHEN 'automatic' THEN withdrawal.review_since IS NULL
              AND coalesce(${JUDGED} @> '{"kind": "automatic"}', FALSE)
            WHEN 'manual' THEN ${APPROVALS} >= CASE
              WHEN ${NEEDS_TWO_PEOPLE} = ANY(withdrawal.decision_reasons) THEN 2
              WHEN ${JUDGED} -> 'reasons' ? ${NEEDS_TWO_PEOPLE} THEN 2
              ELSE 1 END
            ELSE FALSE END`;
