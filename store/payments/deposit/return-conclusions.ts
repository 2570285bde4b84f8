// What people concluded of returns to payers that their provider never finished
// (domain/payments/return-conclusion.ts). Stored once for each return; the deposit's steps read it.
import {
  concludableFrom,
  type ReturnConclusion,
  type StatedReturnResult,
} from '../../../domain/payments/return-conclusion.js';
import { Prisma } from '../../../prisma/generated/client.js';
import type { Database } from '../../database.js';
import type { CashMovementPeople } from '../../ledger/cash-movements.js';
import { rowOf } from '../../statements.js';
import type { Transaction } from '../../transactions.js';

/** What people concluded of the return that was requested by this act; `null` if nothing. */
export function readConclusion(database: Database, returnActId: string): Promise<ReturnConclusion | null> {
  return rowOf<ReturnConclusion>(
    database,
    Prisma.sql`
      SELECT return_act_id AS "returnActId", result, requested_by AS person, reason, evidence, concluded_at AS at
      FROM return_conclusion WHERE return_act_id = ${returnActId}`,
  );
}

export interface ReturnToConclude {
  readonly operationId: string;
  readonly depositId: string;
  /** The act by which the return was requested. */
  readonly returnActId: string;
}

/** Nothing changed. */
export type NotConcludable =
  /** The deposit has no such return under way, or people have concluded it. */
  { readonly kind: 'not_returning' } | { readonly kind: 'return_too_recent'; readonly notBefore: string };

export type ConclusionResult = { readonly kind: 'done'; readonly depositId: string } | NotConcludable;

/** The deposit's return that is under way: the act by which it was requested; `null` if there is none. */
export async function returnUnderWay(
  database: Pick<Database, '$queryRaw'>,
  { operationId, depositId }: Omit<ReturnToConclude, 'returnActId'>,
): Promise<{ readonly actId: string; readonly at: string; readonly isConcluded: boolean; readonly now: Date } | null> {
  const [row] = await database.$queryRaw<{ actId: string; at: string; isConcluded: boolean; now: Date }[]>`
    SELECT return_request ->> 'actId' AS "actId", return_request ->> 'at' AS at, now() AS now, EXISTS (
        SELECT FROM return_conclusion WHERE return_act_id = deposit.return_request ->> 'actId'
      ) AS "isConcluded"
    FROM deposit
    WHERE id = ${depositId} AND operation_id = ${operationId} AND return_request ->> 'actId' IS NOT NULL`;
  return row ?? null;
}

/** Why people may not conclude it; `null` if they may. */
export async function notConcludable(
  transaction: Pick<Transaction, '$queryRaw'>,
  { returnActId, ...of }: ReturnToConclude,
): Promise<NotConcludable | null> {
  const found = await returnUnderWay(transaction, of);
  if (found === null || found.actId !== returnActId || found.isConcluded) return { kind: 'not_returning' };
  const notBefore = concludableFrom(found.at);
  return notBefore > found.now.toISOString() ? { kind: 'return_too_recent', notBefore } : null;
}

/** `returnId`: the return's id in PIX; `null` if it was never made. */
export interface Conclusion extends ReturnToConclude {
  readonly result: StatedReturnResult;
  readonly returnId: string | null;
  readonly evidence: string;
  readonly reason: string;
}

/**
 * Stores the conclusion. It moves no money: the deposit's next step asks the provider once more, and only then settles
 * the return by it. The operation is locked, so nobody else concludes it at the same time.
 */
export async function concludeReturn(
  transaction: Transaction,
  conclusion: Conclusion,
  { requestedBy, approval }: CashMovementPeople,
): Promise<ConclusionResult> {
  const refusal = await notConcludable(transaction, conclusion);
  if (refusal !== null) return refusal;
  const { returnActId, depositId, result, returnId, evidence, reason } = conclusion;
  const people = { requestId: approval?.requestId, approvedBy: approval?.approvedBy, requestedBy };
  await transaction.returnConclusion.createMany({
    data: [{ returnActId, depositId, result, returnId, evidence, reason, ...people }],
  });
  if (returnId !== null)
    await transaction.returnId.createMany({ data: [{ returnId, depositId }], skipDuplicates: true });
  return { kind: 'done', depositId };
}
