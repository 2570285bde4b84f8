// The one permission to send a payout, and what is known of the send. SQL, because each change raises the
// withdrawal's revision, which a cancel compares too: a cancel and a permission can never both win. Every change
// locks the withdrawal first, then its send.
import { payoutReferenceOf } from '../../domain/identifiers.js';
import type { Permission, PermissionRefusal } from '../../domain/permissions.js';
import { mayHaveLeft, type PayoutSendState } from '../../domain/withdrawal.js';
import { type PayoutSend, Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { decidedSql, type DecisionRecord } from '../rules/decisions.js';
import type { Sealer } from '../sealing/sealer.js';
import { rowOf } from '../statements.js';
import type { HeldWithdrawal } from './held.js';
import { askedSql, forbiddenSql, IS_CLEARED, isApprovedSql } from './payout-permission.js';

/**
 * Stores that the checks before the send passed on facts that were read after `held`: they are as old as that read.
 * False if the withdrawal changed since, or an attempt has the permission.
 */
export function clearPayoutSend(
  database: Database,
  held: HeldWithdrawal,
  decision: DecisionRecord | null,
): Promise<boolean> {
  const { id } = held.record.snapshot;
  return changesOne(
    database,
    Prisma.sql`
      WITH ${heldSql(held)},
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

/** Whether an attempt has the permission, so that the payout may have left. */
export async function isPayoutTaken(database: Database, withdrawalId: string): Promise<boolean> {
  const send = await database.payoutSend.findUnique({ where: { withdrawalId }, select: { state: true } });
  return send !== null && mayHaveLeft(send.state as PayoutSendState);
}

export interface PayoutAttempt {
  /** Its own name. */
  readonly attempt: string;
  /** The environment of the process that sends. */
  readonly environment: 'sandbox' | 'production';
}

/**
 * Takes the permission for one attempt, if this payout is due: the row as it was read, its sealed request, the ledger,
 * who decided it, the operation and the environment agree, and its checks are fresh.
 */
export async function claimPayoutSend(
  database: Database,
  sealer: Sealer,
  held: HeldWithdrawal,
  { attempt, environment }: PayoutAttempt,
): Promise<Permission> {
  const row = await rowOf<SendCount & { readonly refusal: PermissionRefusal | null }>(
    database,
    Prisma.sql`
      WITH ${askedSql(sealer, held, environment)},
      held AS (
        UPDATE withdrawal SET revision = revision + 1 FROM asked, payout_send
        WHERE asked.refusal IS NULL AND ${isApprovedSql(held)}
          AND payout_send.withdrawal_id = withdrawal.id AND ${IS_CLEARED}
        RETURNING withdrawal.id
      ),
      claimed AS (
        UPDATE payout_send SET state = 'claimed', attempt = ${attempt}, claimed_at = clock_timestamp(),
          traceless_look_ups = 0, traceless_since = NULL, traceless_last_at = NULL
        FROM held WHERE payout_send.withdrawal_id = held.id AND ${IS_CLEARED}
        RETURNING 1
      )
      SELECT (SELECT count(*) FROM claimed)::int AS number, (SELECT refusal FROM asked) AS refusal`,
  );
  return row?.number === 1 ? 'given' : (row?.refusal ?? 'changed');
}

/** Whether a block list, the operation or a pause of the provider forbids the send by now, as for the permission. */
export async function isPayoutForbidden(database: Database, held: HeldWithdrawal): Promise<boolean> {
  const row = await rowOf<{ readonly refusal: PermissionRefusal | null }>(database, forbiddenSql(held));
  return row?.refusal !== null;
}

/** What is known of a withdrawal's send; `null` before its first. */
export function payoutSendOf(database: Database, withdrawalId: string): Promise<PayoutSend | null> {
  return database.payoutSend.findUnique({ where: { withdrawalId } });
}

/**
 * Ends an attempt that provably sent nothing: another one may take the permission. Its claim may still be under way,
 * and be committed after this process has given up waiting for it. So the revision that the claim compares is raised: a
 * claim that was committed before is given back, and a later one finds another revision.
 */
export async function givePermissionBack(database: Database, held: HeldWithdrawal, attempt: string): Promise<void> {
  const { id } = held.record.snapshot;
  if (await markNotSent(database, id, attempt)) return;
  const forestalled = Prisma.sql`WITH ${heldSql(held)} SELECT count(*)::int AS number FROM held`;
  if (!(await changesOne(database, forestalled))) await markNotSent(database, id, attempt);
}

/** False if the attempt does not hold the permission. */
function markNotSent(database: Database, withdrawalId: string, attempt: string): Promise<boolean> {
  const isHolder = Prisma.sql`payout_send.state = 'claimed' AND payout_send.attempt = ${attempt}`;
  return changesOne(
    database,
    Prisma.sql`
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
 * Counts a look-up that was answered and found nothing. `isTraced` is true if the provider named the payout in the
 * meantime, so that the series starts again. Only while the outcome of the send is open. `false` if the withdrawal
 * changed since it was read.
 */
export function countTracelessLookUp(
  database: Database,
  held: HeldWithdrawal,
  { at, isTraced }: { readonly at: string; readonly isTraced: boolean },
): Promise<boolean> {
  return changesOne(
    database,
    Prisma.sql`
      WITH ${heldSql(held)},
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

/**
 * Stores that a look-up found the payout still processing, just now. `false` if the withdrawal changed since it was
 * read.
 */
export function noteUnfinishedLookUp(database: Database, { record }: HeldWithdrawal): Promise<boolean> {
  const { snapshot, revision } = record;
  return changesOne(
    database,
    Prisma.sql`
      WITH held AS (
        UPDATE withdrawal SET revision = revision + 1
        WHERE id = ${snapshot.id} AND operation_id = ${snapshot.operationId} AND status = 'processing'
          AND revision = ${revision}
        RETURNING id
      ),
      noted AS (
        UPDATE payout_send SET traceless_last_at = clock_timestamp()
        FROM held WHERE withdrawal_id = held.id AND state = 'known'
        RETURNING 1
      )
      SELECT count(*)::int AS number FROM noted`,
  );
}

interface SendCount {
  readonly number: number;
}

/** Whether the statement, which counts what it changed, changed one row. */
async function changesOne(database: Database, statement: Prisma.Sql): Promise<boolean> {
  return (await rowOf<SendCount>(database, statement))?.number === 1;
}

/** CTE `held`: raises the revision of the withdrawal while it is approved and as it was read. */
function heldSql(held: HeldWithdrawal): Prisma.Sql {
  return Prisma.sql`held AS (
        UPDATE withdrawal SET revision = revision + 1 WHERE ${isApprovedSql(held)} RETURNING id
      )`;
}
