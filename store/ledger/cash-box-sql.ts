// The balance row that a withdrawal is paid from.
import { Prisma } from '../../prisma/generated/client.js';

/** Condition on `ledger_account`: the cash box of the operation in this account at a provider. */
export function isCashBoxSql({
  operationId,
  provider,
  currency,
}: Readonly<Record<'operationId' | 'provider' | 'currency', string>>): Prisma.Sql {
  return Prisma.sql`operation_id = ${operationId} AND currency = ${currency} AND account = 'available'
        AND provider = ${provider}`;
}
