// The ledger entries of one payment.
import type { LedgerEntry } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';

/** The entries of the payment's transfers, in order. */
export function entriesOfPayment(
  database: Database,
  { id, operationId }: { readonly id: string; readonly operationId: string },
  take: number,
): Promise<LedgerEntry[]> {
  return database.ledgerEntry.findMany({
    where: { operationId, objectId: id },
    orderBy: { id: 'asc' },
    take,
  });
}
