// The one permission to send a payout, and what is known of the send. SQL, because each statement raises the
// withdrawal's revision, which a cancel compares too: a cancel and a permission can never both win. Every statement
// locks the withdrawal first, then its send.
import { payoutReferenceOf } from '../../domain/identifiers.js';
import { CLEARANCE_SECONDS } from '../../domain/withdrawal.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { decidedSql, type DecisionRecord } from '../rules/decisions.js';
import { isPausedSql } from '../operations/provider-pauses.js';
import type { HeldWithdrawal } from './held.js';

/**
 * Stores that the checks before the send passed on facts that were read after `held`: they are as old as that read.
 * False if the withdrawal changed since, or an attempt has the permission.
 */
export async function clearPayoutSend(
  database: Database,
  held: HeldWithdrawal,
  decision: DecisionRecord | null,
): Promise<boolean> {
  const { id } = held.record.snapshot;
  return isOne(
    await database.$queryRaw<Counted>`
      WITH held AS (
        UPDATE withdrawal SET revision = revision + 1 WHERE ${isApproved(held)} RETURNING id
      ),
      cleared AS (
        INSERT INTO payout_send (withdrawal_id, reference, state, cleared_at)
        SELECT id, ${payoutReferenceOf(id)}, 'cleared', ${held.readAt}::timestamptz FROM held
        ON CONFLICT (withdrawal_id) DO UPDATE
        SET state = 'cleared', cleared_at = EXCLUDED.cleared_at, attempt = NULL, claimed_at = NULL
        WHERE payout_send.state IN ('cleared', 'not_sent')
        RETURNING 1
      )
      ${decidedSql(decision, Prisma.sql`cleared`)}
      SELECT count(*)::int AS number FROM cleared`,
  );
}

/**
 * Takes the permission for one attempt. False if the withdrawal changed since it was read, the checks are too old, or
 * another attempt has it, or the provider is paused.
 */
export async function claimPayoutSend(database: Database, held: HeldWithdrawal, attempt: string): Promise<boolean> {
  const isFresh = Prisma.sql`
        payout_send.state = 'cleared'
        AND payout_send.cleared_at > clock_timestamp() - make_interval(secs => ${CLEARANCE_SECONDS}::int)
        AND NOT ${isPausedSql(Prisma.sql`${held.order.provider}`)}`;
  return isOne(
    await database.$queryRaw<Counted>`
      WITH held AS (
        UPDATE withdrawal SET revision = revision + 1 FROM payout_send
        WHERE ${isApproved(held)} AND payout_send.withdrawal_id = withdrawal.id AND ${isFresh}
        RETURNING withdrawal.id
      ),
      claimed AS (
        UPDATE payout_send SET state = 'claimed', attempt = ${attempt}, claimed_at = clock_timestamp(),
          traceless_look_ups = 0, traceless_since = NULL, traceless_last_at = NULL
        FROM held WHERE payout_send.withdrawal_id = held.id AND ${isFresh}
        RETURNING 1
      )
      SELECT count(*)::int AS number FROM claimed`,
  );
}

/** Stores that the attempt provably sent nothing: another one may take the permission. False if it does not hold it. */
export async function markNotSent(database: Database, withdrawalId: string, attempt: string): Promise<boolean> {
  const isHolder = Prisma.sql`payout_send.state = 'claimed' AND payout_send.attempt = ${attempt}`;
  return isOne(
    await database.$queryRaw<Counted>`
      WITH held AS (
        UPDATE withdrawal SET revision = revision + 1 FROM payout_send
        WHERE withdrawal.id = ${withdrawalId} AND payout_send.withdrawal_id = withdrawal.id AND ${isHolder}
        RETURNING withdrawal.id
      ),
      unsent AS (
        UPDATE payout_send SET state = 'not_sent' FROM held
        WHERE payout_send.withdrawal_id = held.id AND ${isHolder}
        RETURNING 1
      )
      SELECT count(*)::int AS number FROM unsent`,
  );
}

/**
 * Counts a look-up that was answered and found nothing. `isTraced`: the provider named the payout meanwhile, so the
 * series starts anew. Only while the outcome of the send is open. False if the withdrawal changed since it was read.
 */
export async function countTracelessLookUp(
  database: Database,
  held: HeldWithdrawal,
  { at, isTraced }: { readonly at: string; readonly isTraced: boolean },
): Promise<boolean> {
  return isOne(
    await database.$queryRaw<Counted>`
      WITH held AS (
        UPDATE withdrawal SET revision = revision + 1 WHERE ${isApproved(held)} RETURNING id
      ),
      counted AS (
        UPDATE payout_send SET
          traceless_look_ups = CASE WHEN ${isTraced} THEN 0 ELSE traceless_look_ups END + 1,
          traceless_since = CASE WHEN ${isTraced} THEN ${at}::timestamptz
            ELSE coalesce(traceless_since, ${at}::timestamptz) END,
          traceless_last_at = clock_timestamp()
        FROM held WHERE withdrawal_id = held.id AND state = 'claimed'
        RETURNING 1
      )
      SELECT count(*)::int AS number FROM counted`,
  );
}

type Counted = { number: number }[];

/** It is as it was read, and may be sent. */
function isApproved({ record: { snapshot, revision } }: HeldWithdrawal): Prisma.Sql {
  return Prisma.sql`withdrawal.id = ${snapshot.id} AND withdrawal.operation_id = ${snapshot.operationId}
          AND withdrawal.status = 'approved' AND withdrawal.judgement = 'passed'
          AND withdrawal.revision = ${revision}`;
}

function isOne([row]: Counted): boolean {
  return row?.number === 1;
}
