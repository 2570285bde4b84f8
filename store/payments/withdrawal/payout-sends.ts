// The one permission to send a payout, what is known of the send, and which withdrawals wait for theirs. SQL, because
// each change raises the withdrawal's revision, which a cancel compares too: a cancel and a permission can never both
// win. Every change locks the withdrawal first, then its send.
import { payoutReferenceOf } from '../../../domain/identifiers.js';
import type { Permission, PermissionRefusal } from '../../../domain/payments/permissions.js';
import {
  CLEARANCE_SECONDS,
  mayHaveLeft,
  NEEDS_TWO_PEOPLE,
  PAYOUT_SEND_STATES,
  type PayoutSendState,
} from '../../../domain/payments/withdrawal.js';
import type { DispatchWait } from '../../../domain/rules/verdicts.js';
import { type PayoutSend, Prisma } from '../../../prisma/generated/client.js';
import type { Database } from '../../database.js';
import { decisionParameter, type DecisionRecord } from '../../rules/decisions.js';
import { documentHash, pixKeyHash, type Sealer } from '../../sealing/sealer.js';
import { openWithdrawalRequest } from '../../sealing/orders.js';
import { rowOf, rowsOf, sqlFile, type Statement } from '../../statements.js';
import type { WithdrawalRow } from './read.js';

const CLEAR = sqlFile('payments/withdrawal/clear-send.sql');
const CLAIM = sqlFile('payments/withdrawal/claim-send.sql');
const UNSEND = sqlFile('payments/withdrawal/unsend.sql');
const COUNT_TRACELESS = sqlFile('payments/withdrawal/count-traceless.sql');
const NOTE_UNFINISHED = sqlFile('payments/withdrawal/note-unfinished.sql');

/**
 * Stores that the checks before the send passed on facts that were read after `row`: they are as old as that read.
 * False if the withdrawal changed since, or an attempt has the permission.
 */
export function clearPayoutSend(
  database: Database,
  row: WithdrawalRow,
  decision: DecisionRecord | null,
): Promise<boolean> {
  const { id } = row.record.snapshot;
  return changesOne(
    database,
    CLEAR({
      ...asRead(row),
      reference: payoutReferenceOf(id),
      clearedAt: row.readAt,
      decision: decisionParameter(decision),
    }),
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
  row: WithdrawalRow,
  { attempt, environment }: PayoutAttempt,
): Promise<Permission> {
  const { operationId } = row.record.snapshot;
  const { player, amount, destination } = openWithdrawalRequest(sealer, row.order);
  const { key, key_type } = destination.pix;
  const claim = await rowOf<{ readonly number: number; readonly refusal: PermissionRefusal | null }>(
    database,
    CLAIM({
      ...{ ...asRead(row), attempt, environment },
      ...{ amountMinor: amount.amount, currency: amount.currency },
      destinationHash: pixKeyHash(sealer, operationId, key, key_type),
      documentHash: documentHash(sealer, operationId, player.document.number),
      needsTwoPeople: NEEDS_TWO_PEOPLE,
      clearanceSeconds: CLEARANCE_SECONDS,
    }),
  );
  return claim?.number === 1 ? 'given' : (claim?.refusal ?? 'changed');
}

/** Whether a block list, the operation or a pause of the provider forbids the send by now, as for the permission. */
export async function isPayoutForbidden(database: Database, row: WithdrawalRow): Promise<boolean> {
  const { id, operationId } = row.record.snapshot;
  const forbidden = await rowOf<{ readonly refusal: PermissionRefusal | null }>(
    database,
    Prisma.sql`SELECT payout_forbidden(${operationId}, ${id}) AS refusal`,
  );
  return forbidden?.refusal !== null;
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
export async function givePermissionBack(database: Database, row: WithdrawalRow, attempt: string): Promise<void> {
  const { id, operationId, revision } = asRead(row);
  const unsend = UNSEND({ id, attempt });
  if (await changesOne(database, unsend)) return;
  const forestalled = Prisma.sql`
    UPDATE withdrawal SET revision = revision + 1
    WHERE id = ${id} AND operation_id = ${operationId} AND status = 'approved' AND judgement = 'passed'
      AND revision = ${revision}
    RETURNING 1`;
  if (!(await changesOne(database, forestalled))) await changesOne(database, unsend);
}

/**
 * Counts a look-up that was answered and found nothing. `isTraced` is true if the provider named the payout in the
 * meantime, so that the series starts again. Only while the outcome of the send is open. `false` if the withdrawal
 * changed since it was read.
 */
export function countTracelessLookUp(
  database: Database,
  row: WithdrawalRow,
  { at, isTraced }: { readonly at: string; readonly isTraced: boolean },
): Promise<boolean> {
  return changesOne(database, COUNT_TRACELESS({ ...asRead(row), at, isTraced }));
}

/**
 * Stores that a look-up found the payout still processing, just now. `false` if the withdrawal changed since it was
 * read.
 */
export function noteUnfinishedLookUp(database: Database, row: WithdrawalRow): Promise<boolean> {
  return changesOne(database, NOTE_UNFINISHED(asRead(row)));
}

/** What the statements compare the row with. */
function asRead({ record: { snapshot, revision } }: WithdrawalRow) {
  return { id: snapshot.id, operationId: snapshot.operationId, revision };
}

/** Whether the statement, which answers a row for each that it changed, changed one. */
async function changesOne(database: Database, statement: Statement): Promise<boolean> {
  return (await rowsOf(database, statement)).length === 1;
}

const LEFT = PAYOUT_SEND_STATES.filter(mayHaveLeft);

export interface WaitingWithdrawals {
  /** `null` for every operation. */
  readonly operationId: string | null;
  readonly wait: DispatchWait;
  readonly limit: number;
}

/**
 * The ids of the withdrawals that wait for this, then of those that may: no check of theirs has ended, or their last
 * one found nothing to wait for. A check may read its facts just before a change and store its decision after it.
 */
export async function waitingWithdrawals(
  database: Database,
  { operationId, wait, limit }: WaitingWithdrawals,
): Promise<string[]> {
  const ofOperation = operationId === null ? Prisma.sql`TRUE` : Prisma.sql`operation.id = ${operationId}`;
  const rows = await database.$queryRaw<{ id: string }[]>`
    SELECT withdrawal.id
    FROM operation
    JOIN withdrawal ON withdrawal.operation_id = operation.id AND withdrawal.status = 'approved'
    LEFT JOIN LATERAL (
      SELECT outcome->>'for' AS wait FROM decision
      WHERE object_id = withdrawal.id AND stage = 'dispatch' ORDER BY id DESC LIMIT 1
    ) AS last_check ON TRUE
    WHERE ${ofOperation} AND coalesce(last_check.wait, ${wait}) = ${wait}
      AND NOT EXISTS (
        SELECT FROM payout_send WHERE withdrawal_id = withdrawal.id AND state = ANY(${LEFT})
      )
    ORDER BY last_check.wait NULLS LAST, withdrawal.sequence LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}
