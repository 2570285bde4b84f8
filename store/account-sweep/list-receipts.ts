// What the sweep found, as staff see it.
import { toMoney } from '../../domain/money.js';
import { toBigInt, type Database } from '../database.js';

/** What belongs to no deposit and, with `all`, what was missed and reached its deposit later. Newest first. */
export async function readReceipts(database: Database, { all, limit }: { all: boolean; limit: number }) {
  const rows = await database.foundReceipt.findMany({
    where: all ? {} : { depositId: null },
    orderBy: [{ foundAt: 'desc' }, { endToEndId: 'asc' }],
    take: limit,
  });
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
  }));
}
