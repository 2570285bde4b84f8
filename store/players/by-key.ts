// Withdrawals to a PIX key. Only its keyed hash is compared, and each operation has hashes of its own.
import type { Reach } from '../../domain/staff.js';
import type { Database } from '../database.js';
import type { PaymentMatch } from '../support/lookups.js';
import { pixKeyHash, type Sealer } from '../sealing/sealer.js';

/** The newest in the operations that a person reaches. */
export async function matchPixKey(
  database: Database,
  sealer: Sealer,
  { key, reach, limit }: { readonly key: string; readonly reach: Reach; readonly limit: number },
): Promise<PaymentMatch[]> {
  const where = reach === 'every' ? {} : { id: { in: [...reach] } };
  const operations = await database.operation.findMany({ where, select: { id: true } });
  const rows = await database.withdrawal.findMany({
    where: { OR: operations.map(({ id }) => ({ operationId: id, destinationHash: pixKeyHash(sealer, id, key) })) },
    select: { id: true },
    orderBy: { createdAt: 'desc' },
    take: limit,
  });
  return rows.map(({ id }) => ({ kind: 'withdrawal', id }));
}
