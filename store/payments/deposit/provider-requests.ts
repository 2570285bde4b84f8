// What a deposit may ask of its provider, and what became of it. The permission to request its charge, and the return
// of its payment: one statement each gives it, only for what the database rows and the ledger call for; the insertion
// of a new deposit permits its first charge. The ids of returns, and what people concluded of returns that the provider
// never finished (domain/payments/returns.ts), which the deposit's steps read.
import { isOfReview, type ReturnRequest } from '../../../domain/payments/deposit-record.js';
import type { Permission } from '../../../domain/payments/permissions.js';
import { Prisma } from '../../../prisma/generated/client.js';
import type { Database } from '../../database.js';
import type { CashMovementPeople } from '../../ledger/cash-movements.js';
import { documentHash, type Sealer } from '../../sealing/sealer.js';
import { openDepositRequest } from '../../sealing/orders.js';
import { rowOf, sqlFile, type Statement } from '../../statements.js';
import type { Transaction } from '../../transactions.js';
import type { DepositRow } from './read.js';
import { concludableFrom, type ReturnConclusion, type StatedReturnResult } from '../../../domain/payments/returns.js';

const PERMIT_CHARGE = sqlFile('payments/deposit/permit-charge.sql');
const PERMIT_RETURN = sqlFile('payments/deposit/permit-return.sql');
const PERMIT_ITEM_RETURN = sqlFile('payments/deposit/permit-item-return.sql');

type Environment = 'sandbox' | 'production';

/** Whether a process of this environment may request the charge of the deposit, as it was read. */
export function permitCharge(
  database: Database,
  sealer: Sealer,
  { record: { snapshot, revision }, order }: DepositRow,
  environment: Environment,
): Promise<Permission> {
  const { id, operationId } = snapshot;
  const { player, amount } = openDepositRequest(sealer, order);
  return permission(
    database,
    PERMIT_CHARGE({
      ...{ id, operationId, revision, environment },
      ...{ amountMinor: amount.amount, currency: amount.currency },
      documentHash: documentHash(sealer, operationId, player.document.number),
    }),
  );
}

/**
 * Whether this payment of the deposit, as it was read, may be returned: people requested it, and have not concluded it;
 * the ledger holds this money for it, and no other deposit has the payment.
 */
export function permitReturn(
  database: Database,
  { record }: DepositRow,
  request: ReturnRequest,
  environment: Environment,
): Promise<Permission> {
  const { id, operationId } = record.snapshot;
  const { actId, of: endToEndId, amountMinor } = request;
  const permit = isOfReview(record, request) ? PERMIT_RETURN : PERMIT_ITEM_RETURN;
  const asked = { actId, endToEndId, amountMinor };
  return permission(database, permit({ id, operationId, revision: record.revision, environment, ...asked }));
}

async function permission(database: Database, statement: Statement): Promise<Permission> {
  return (await rowOf<{ permission: Permission }>(database, statement))?.permission ?? 'changed';
}

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

/**
 * Stores the ids under their deposit, with the references by which the books have the returns. Repeating it changes
 * nothing.
 */
export async function insertReturnIds(
  database: Database,
  depositId: string,
  returns: readonly { readonly returnId: string; readonly reference: string }[],
): Promise<void> {
  const data = returns.map((one) => ({ ...one, depositId }));
  await database.returnId.createMany({ data, skipDuplicates: true });
}
