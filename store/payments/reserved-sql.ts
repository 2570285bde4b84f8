// The amount that the ledger holds for one payment now.
import type { LedgerAccount } from '../../domain/ledger.js';
import { Prisma } from '../../prisma/generated/client.js';

/** More versions than a payment can have. A transition moves money under the version that it leads to. */
const MOST_VERSIONS = 8;

/** The sum of the entries of the payment's transitions in this account. By the unique index of transfers. */
export function reservedSql(payment: Prisma.Sql, account: Extract<LedgerAccount, 'pending_in' | 'pending_out'>) {
  return Prisma.sql`(
            SELECT sum(entry.amount_minor) FROM ledger_entry AS entry
            WHERE entry.transfer_id = ANY(ARRAY(
                SELECT ${payment}.id || ':' || version FROM generate_series(1, ${MOST_VERSIONS}::int) AS version
              ))
              AND entry.account = ${account} AND entry.operation_id = ${payment}.operation_id
              AND entry.currency = ${payment}.currency
          )`;
}
