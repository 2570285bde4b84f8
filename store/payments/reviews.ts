// Payments under review, as a reviewer needs them: ids, amounts, reasons and times. No personal data.
import type { ReviewDecision } from '../../domain/payments/deposit.js';
import { toMoney } from '../../domain/money.js';
import { displayedOperatorReasons } from '../../domain/rules/operator-reasons.js';
import { approvalsNeeded } from '../../domain/payments/withdrawal.js';
import type { Deposit, Withdrawal } from '../../prisma/generated/client.js';
import { type Database, toBigInt } from '../database.js';
import { operatorReasonsOf } from '../sealing/orders.js';
import type { Sealer } from '../sealing/sealer.js';

/** Deposits and withdrawals under review, longest waiting first. */
export async function readReviews(
  database: Database,
  sealer: Sealer,
  { operationId, limit }: { operationId: string | null; limit: number },
) {
  const query = {
    where: { status: 'under_review', ...(operationId === null ? {} : { operationId }) },
    orderBy: { updatedAt: 'asc' },
    take: limit,
  } as const;
  const [deposits, withdrawals] = await Promise.all([
    database.deposit.findMany(query),
    database.withdrawal.findMany(query),
  ]);
  const since = await reviewStarts(
    database,
    [...deposits, ...withdrawals].map(({ id }) => id),
  );
  return {
    deposits: deposits.map((row) => depositUnderReview(row, since.get(row.id))),
    withdrawals: withdrawals.map((row) => withdrawalUnderReview(row, sealer, since.get(row.id))),
  };
}

function depositUnderReview(row: Deposit, since: Date = row.updatedAt) {
  return {
    id: row.id,
    operation_id: row.operationId,
    external_id: row.externalId,
    amount: toMoney(toBigInt(row.amountMinor), row.currency),
    paid_amount: row.paidAmountMinor === null ? null : toMoney(toBigInt(row.paidAmountMinor), row.currency),
    reasons: row.reviewReasons,
    since,
  };
}

function withdrawalUnderReview(row: Withdrawal, sealer: Sealer, since: Date = row.updatedAt) {
  return {
    id: row.id,
    operation_id: row.operationId,
    external_id: row.externalId,
    amount: toMoney(toBigInt(row.amountMinor), row.currency),
    reasons: shownReasons(row, sealer),
    since,
    approvals: approvalsOf(row),
  };
}

/** Why it waits: the rules' codes, then the operator's own reasons with apparent personal data masked. */
export function shownReasons(
  row: Pick<Withdrawal, 'id' | 'operationId' | 'decisionReasons' | 'requestSealed'>,
  sealer: Sealer,
): string[] {
  const { id, operationId, requestSealed: sealedRequest } = row;
  const operators = operatorReasonsOf(sealer, { id, operationId, sealedRequest });
  return [...row.decisionReasons, ...displayedOperatorReasons(operators)];
}

/** The people who have approved, and how many different people must. */
export function approvalsOf(row: Pick<Withdrawal, 'decidedBy' | 'decisionReasons'>) {
  const given = (row.decidedBy as unknown as ReviewDecision[])
    .filter(({ decision }) => decision === 'approve')
    .map(({ person }) => person);
  return { given, needed: approvalsNeeded(row.decisionReasons) };
}

/** When each payment entered review, by the time of its event. */
export async function reviewStarts(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const events = await database.event.findMany({
    where: { objectId: { in: [...ids] }, type: { in: ['deposit.under_review', 'withdrawal.under_review'] } },
    select: { objectId: true, createdAt: true },
    take: 2 * ids.length,
  });
  return new Map(events.map(({ objectId, createdAt }) => [objectId, createdAt]));
}

/** A payment's status and version, and who decided on it or on writing it off so far; `null` if there is none. */
export async function readReviewState(
  database: Database,
  kind: 'deposit' | 'withdrawal',
  id: string,
): Promise<ReviewState | null> {
  const select = { operationId: true, status: true, version: true, decidedBy: true } as const;
  const row =
    kind === 'deposit'
      ? await database.deposit.findUnique({ where: { id }, select })
      : await database.withdrawal.findUnique({ where: { id }, select: { ...select, writeOffs: true } });
  if (row === null) return null;
  const writtenOffBy = 'writeOffs' in row ? personsOf(row.writeOffs) : [];
  const { operationId, status, version } = row;
  return { operationId, status, version, people: personsOf(row.decidedBy), writtenOffBy };
}

/** Whether the rules have judged the withdrawal and forbid it, so that it can only be refused. */
export async function isForbiddenByRules(database: Database, withdrawalId: string): Promise<boolean> {
  const row = await database.withdrawal.findUnique({ where: { id: withdrawalId }, select: { judgement: true } });
  return row?.judgement === 'refused';
}

export interface ReviewState {
  readonly operationId: string;
  readonly status: string;
  readonly version: number;
  readonly people: readonly string[];
  readonly writtenOffBy: readonly string[];
}

function personsOf(decisions: unknown): string[] {
  return (decisions as { person: string }[]).map(({ person }) => person);
}
