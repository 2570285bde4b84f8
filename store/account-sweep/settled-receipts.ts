// What of the payments that deposits missed has reached them since they were notified.
import type { AccountName } from '../../domain/provider-accounts.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';

/** How long a deposit has to store a payment that it was notified of. */
const SETTLES_WITHIN_SECONDS = 30 * 60;

/** A payment that a deposit was notified of and has not stored. */
export interface UnsettledReceipt {
  readonly endToEndId: string;
  readonly depositId: string;
  readonly operationId: string;
}

/** Notes which have reached their deposits. Returns those that have not for half an hour. */
export async function settleReceipts(
  database: Database,
  provider: AccountName,
  at: string,
): Promise<UnsettledReceipt[]> {
  return database.$queryRaw<UnsettledReceipt[]>`
    WITH missed AS (
      SELECT unexplained_receipt.end_to_end_id, deposit_id, operation_id, found_at, ${SHOWS_PAYMENT} AS is_settled
      FROM unexplained_receipt JOIN deposit ON deposit.id = unexplained_receipt.deposit_id
      WHERE unexplained_receipt.provider = ${provider} AND settled_at IS NULL
    ), settled AS (
      UPDATE unexplained_receipt SET settled_at = ${at}::timestamptz
      FROM missed WHERE missed.is_settled AND unexplained_receipt.provider = ${provider}
        AND unexplained_receipt.end_to_end_id = missed.end_to_end_id
    )
    SELECT end_to_end_id AS "endToEndId", deposit_id AS "depositId", operation_id AS "operationId" FROM missed
    WHERE NOT is_settled AND found_at < ${at}::timestamptz - make_interval(secs => ${SETTLES_WITHIN_SECONDS})`;
}

/** Whether the deposit shows the payment: as its own, or as a further one on its charge. */
const SHOWS_PAYMENT = Prisma.sql`
  (coalesce(deposit.end_to_end_id = unexplained_receipt.end_to_end_id, false)
    OR unexplained_receipt.end_to_end_id = ANY(deposit.extra_payments))`;
