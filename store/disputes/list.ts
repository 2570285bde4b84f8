// Disputed payments, as staff see them.
import { toMoney } from '../../domain/money.js';
import type { Prisma } from '../../prisma/generated/client.js';
import { toBigInt, type Database } from '../database.js';

interface DisputeQuery {
  /** `null` for those of every operation, and those that belong to none. */
  readonly operationId: string | null;
  /** `false` for open ones only. */
  readonly all: boolean;
  readonly take: number;
  readonly before?: { readonly openedAt: Date; readonly id: string } | null;
}

/** Cases, the newest first, at most `take`; with `before`, those after it in that order. */
export async function readDisputes(database: Database, { operationId, all, take, before = null }: DisputeQuery) {
  const where: Prisma.DisputeWhereInput = {
    ...(operationId === null ? {} : { operationId }),
    ...(all ? {} : { status: 'open' }),
    ...(before === null
      ? {}
      : { OR: [{ openedAt: { lt: before.openedAt } }, { openedAt: before.openedAt, disputeId: { lt: before.id } }] }),
  };
  const rows = await database.dispute.findMany({ where, orderBy: [{ openedAt: 'desc' }, { disputeId: 'desc' }], take });
  return rows.map((row) => ({
    provider: row.provider,
    dispute_id: row.disputeId,
    status: row.status,
    reason: row.reason,
    deposit_id: row.depositId,
    end_to_end_id: row.endToEndId,
    amount: row.amountMinor === null ? null : toMoney(toBigInt(row.amountMinor), 'BRL'),
    opened_at: row.openedAt,
    due_at: row.dueAt,
    changed_at: row.changedAt,
  }));
}
