// The whole row of one payment of either kind.
import type { Deposit, Withdrawal } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';

export type PaymentRow =
  | { readonly kind: 'deposit'; readonly row: Deposit }
  | { readonly kind: 'withdrawal'; readonly row: Withdrawal };

/** The payment of any operation; `null` if there is none. */
export async function paymentById(database: Database, id: string): Promise<PaymentRow | null> {
  const where = { where: { id } };
  if (id.startsWith('dep_')) {
    const row = await database.deposit.findUnique(where);
    return row === null ? null : { kind: 'deposit', row };
  }
  const row = await database.withdrawal.findUnique(where);
  return row === null ? null : { kind: 'withdrawal', row };
}
