// The sweep's findings, as staff see them.
import type { AlertKind } from '../../domain/alerts.js';
import { toMoney } from '../../domain/money.js';
import { toBigInt, type Database } from '../database.js';

/**
 * Payments that belong to no deposit, with their owner and age; with `all` also those that were missed and reached
 * their deposit later. Newest first.
 */
export async function readUnexplainedReceipts(
  database: Database,
  { all, limit, now }: { all: boolean; limit: number; now: Date },
) {
  const rows = await database.unexplainedReceipt.findMany({
    where: all ? {} : { depositId: null },
    orderBy: [{ foundAt: 'desc' }, { endToEndId: 'asc' }],
    take: limit,
  });
  const owners = await ownersOf(database);
  return rows.map((row) => ({
    provider: row.provider,
    end_to_end_id: row.endToEndId,
    amount: toMoney(toBigInt(row.amountMinor), 'BRL'),
    received_at: row.receivedAt,
    reference: row.reference,
    deposit_id: row.depositId,
    returns: row.returns,
    found_at: row.foundAt,
    settled_at: row.settledAt,
    ...(row.depositId === null
      ? { owner: owners.get(row.provider) ?? null, age_days: ageInDays(row.receivedAt, now) }
      : { owner: null, age_days: null }),
  }));
}

/** The person who has taken the open alert about an account's money of no deposit. */
async function ownersOf(database: Database): Promise<ReadonlyMap<string | null, string | null>> {
  const kind = 'RECEIPT_UNALLOCATED' satisfies AlertKind;
  const open = await database.alert.findMany({ where: { kind, resolvedAt: null } });
  return new Map(open.map(({ objectId, assignedTo }) => [objectId, assignedTo]));
}

/** In whole days. */
export function ageInDays(since: Date, now: Date): number {
  return Math.floor((now.getTime() - since.getTime()) / 86_400_000);
}
