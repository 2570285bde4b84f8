// The payments of one player, newest first, with totals by status. The operator's opaque reference is its only
// information about the person.
import { toMoney } from '../../domain/money.js';
import type { Deposit, Withdrawal } from '../../prisma/generated/client.js';
import { type Database, toBigInt } from '../database.js';

/** The player's payments, at most `take` of each kind; null if the operation has no such player. */
export async function readPlayerPayments(
  database: Database,
  { operationId, externalRef, take }: { operationId: string; externalRef: string; take: number },
) {
  const player = await database.player.findUnique({
    where: { operationId_externalRef: { operationId, externalRef } },
    select: { createdAt: true },
  });
  if (player === null) return null;
  const where = { operationId, playerRef: externalRef };
  const newest = { where, orderBy: { sequence: 'desc' }, take } as const;
  const total = {
    by: ['status', 'currency'],
    where,
    _count: true,
    _sum: { amountMinor: true },
    orderBy: [{ status: 'asc' }, { currency: 'asc' }],
  } as const;
  const [deposits, withdrawals, depositTotals, withdrawalTotals] = await Promise.all([
    database.deposit.findMany(newest),
    database.withdrawal.findMany(newest),
    database.deposit.groupBy({ ...total, by: [...total.by], orderBy: [...total.orderBy] }),
    database.withdrawal.groupBy({ ...total, by: [...total.by], orderBy: [...total.orderBy] }),
  ]);
  return {
    knownSince: player.createdAt,
    deposits: deposits.map((row) => ({ ...paymentRow(row), reasons: row.reviewReasons, paid_at: row.paidAt })),
    withdrawals: withdrawals.map((row) => ({ ...paymentRow(row), reasons: row.decisionReasons, paid_at: row.paidAt })),
    totals: { deposits: depositTotals.map(totalRow), withdrawals: withdrawalTotals.map(totalRow) },
  };
}

function paymentRow(row: Deposit | Withdrawal) {
  return {
    id: row.id,
    external_id: row.externalId,
    status: row.status,
    amount: toMoney(toBigInt(row.amountMinor), row.currency),
    failure_code: row.failureCode,
    created_at: row.createdAt,
  };
}

interface Total {
  readonly status: string;
  readonly currency: string;
  readonly _count: number;
  readonly _sum: { readonly amountMinor: Deposit['amountMinor'] | null };
}

function totalRow({ status, currency, _count: count, _sum: { amountMinor } }: Total) {
  return { status, count, amount: toMoney(amountMinor === null ? 0n : toBigInt(amountMinor), currency) };
}
