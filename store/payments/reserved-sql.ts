// The amount that the ledger holds for one payment now.
import type { LedgerAccount } from '../../domain/ledger.js';
import { Prisma } from '../../prisma/generated/client.js';

/** The sum of the payment's entries in this account. By the unique index of transfers. */
export function reservedSql(payment: Prisma.Sql, account: Extract<LedgerAccount, 'pending_in' | 'pending_out'>) {
  return Prisma.sql`(
            SELECT sum(entry.amount_minor) FROM ledger_entry AS entry
            WHERE entry.object_id = ${payment}.id
              AND entry.account = ${account} AND entry.operation_id = ${payment}.operation_id
              AND entry.provider = ${payment}.provider AND entry.currency = ${payment}.currency
          )`;
}
