// Players and payments by a tax document. Only its keyed hash is compared, and each operation has hashes of its own.
import type { Reach } from '../../domain/staff.js';
import type { Database } from '../database.js';
import type { PaymentMatch, PlayerMatch } from '../support/lookups.js';
import { documentHash, type Sealer } from '../sealing/sealer.js';

export interface OfDocument {
  readonly players: readonly PlayerMatch[];
  /** The newest payments that these players requested, or that the document's holder paid. */
  readonly payments: readonly PaymentMatch[];
}

/** In the operations that a person reaches; at most `limit` of each kind. */
export async function matchDocument(
  database: Database,
  sealer: Sealer,
  { number, reach, limit }: { readonly number: string; readonly reach: Reach; readonly limit: number },
): Promise<OfDocument> {
  const where = reach === 'every' ? {} : { id: { in: [...reach] } };
  const operations = await database.operation.findMany({ where, select: { id: true } });
  const hashes = operations.map(({ id }) => ({ operationId: id, hash: documentHash(sealer, id, number) }));
  const players = await database.player.findMany({
    where: { OR: hashes.map(({ operationId, hash }) => ({ operationId, documentHash: hash })) },
    select: { operationId: true, externalRef: true, createdAt: true },
    orderBy: { createdAt: 'desc' },
    take: limit,
  });
  const asked = players.map(({ operationId, externalRef }) => ({ operationId, playerRef: externalRef }));
  const paid = hashes.map(({ operationId, hash }) => ({ operationId, payerDocumentHash: hash }));
  const newest = { select: { id: true, createdAt: true }, orderBy: { createdAt: 'desc' }, take: limit } as const;
  const [deposits, withdrawals] = await Promise.all([
    database.deposit.findMany({ where: { OR: [...asked, ...paid] }, ...newest }),
    database.withdrawal.findMany({ where: { OR: asked }, ...newest }),
  ]);
  const payments = [
    ...deposits.map((row) => ({ kind: 'deposit' as const, ...row })),
    ...withdrawals.map((row) => ({ kind: 'withdrawal' as const, ...row })),
  ];
  return {
    players: players.map((row) => ({
      operation_id: row.operationId,
      external_ref: row.externalRef,
      known_since: row.createdAt,
    })),
    payments: payments
      .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
      .slice(0, limit)
      .map(({ kind, id }) => ({ kind, id })),
  };
}
