// What notifies a payment's workflow when a list of the account has news of it: enough to open it again.
import type { DepositSnapshot } from '../../domain/payments/deposit.js';
import type { WithdrawalSnapshot } from '../../domain/payments/withdrawal.js';
import { Prisma } from '../../prisma/generated/client.js';

type Named<
  Snapshot extends { id: string; operationId: string; externalId: string; amountMinor: bigint; status: string },
> = Pick<Snapshot, 'id' | 'operationId' | 'externalId' | 'status' | 'amountMinor'> & { readonly operationName: string };

export type NotifiedDeposit = Named<DepositSnapshot>;
export type NotifiedWithdrawal = Named<WithdrawalSnapshot>;

/**
 * Reads the row with that name, whose operation is the row `operation`; `null` if the statement found no such payment.
 */
export function notified(row: 'deposit' | 'withdrawal'): Prisma.Sql {
  const payment = Prisma.raw(row);
  return Prisma.sql`
    CASE WHEN ${payment}.id IS NULL THEN NULL ELSE jsonb_build_object(
      'id', ${payment}.id, 'operationId', ${payment}.operation_id, 'operationName', operation.name,
      'externalId', ${payment}.external_id, 'status', ${payment}.status, 'amountMinor', ${payment}.amount_minor::text
    ) END`;
}
