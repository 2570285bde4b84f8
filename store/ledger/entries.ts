// The ledger entries of one payment.
import type { LedgerEntry } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';

/** The entries of the payment's transfers, in order: a transfer's id starts with the payment's. */
export function entriesOfPayment(
  database: Database,
  { id, operationId }: { readonly id: string; readonly operationId: string },
  take: number,
): Promise<LedgerEntry[]> {
  return database.ledgerEntry.findMany({
    where: { operationId, transferId: { startsWith: `${id}:` } },
    orderBy: { id: 'asc' },
    take,
  });
}
