// Payments that wait for a person, as that person needs them: ids, amounts, reasons and times; no personal data.
import { type ReviewDecision } from '../../domain/deposit.js';
import { toMoney } from '../../domain/money.js';
import { approvalsNeeded } from '../../domain/withdrawal.js';
import type { Deposit, Withdrawal } from '../../prisma/generated/client.js';
import { type Database, toBigInt } from '../../store/client.js';

/** Deposits and withdrawals under review, the longest waiting first. */
export async function readReviews(database: Database, { operationId, limit }: { operationId: string | null; limit: number }) {
  const query = {
    where: { status: 'under_review', ...(operationId === null ? {} : { operationId }) },
    orderBy: { updatedAt: 'asc' },
    take: limit,
  } as const;
  const [deposits, withdrawals] = await Promise.all([database.deposit.findMany(query), database.withdrawal.findMany(query)]);
  const since = await reviewStarts(database, [...deposits, ...withdrawals].map(({ id }) => id));
  return {
    deposits: deposits.map((row) => depositUnderReview(row, since.get(row.id))),
    withdrawals: withdrawals.map((row) => withdrawalUnderReview(row, since.get(row.id))),
  };
}

export function depositUnderReview(row: Deposit, since: Date = row.updatedAt) {
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

export function withdrawalUnderReview(row: Withdrawal, since: Date = row.updatedAt) {
  return {
    id: row.id,
    operation_id: row.operationId,
    external_id: row.externalId,
    amount: toMoney(toBigInt(row.amountMinor), row.currency),
    reasons: row.decisionReasons,
    since,
    approvals: approvalsOf(row),
  };
}

/** Who approved so far, and how many different people must. */
export function approvalsOf(row: Pick<Withdrawal, 'decidedBy' | 'decisionReasons'>) {
  const given = (row.decidedBy as unknown as ReviewDecision[]).filter(({ decision }) => decision === 'approve').map(({ person }) => person);
  return { given, needed: approvalsNeeded(row.decisionReasons) };
}

/** When each payment came under review: the time of that event. */
export async function reviewStarts(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const events = await database.event.findMany({
    where: { objectId: { in: [...ids] }, type: { in: ['deposit.under_review', 'withdrawal.under_review'] } },
    select: { objectId: true, createdAt: true },
    take: 2 * ids.length,
  });
  return new Map(events.map(({ objectId, createdAt }) => [objectId, createdAt]));
}
