// What a provider's list has and the database does not: payments whose callbacks were lost, and money of no deposit.
// SQL, because a page of a thousand is compared in one statement.
import { withAmounts } from '../../domain/money.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { Receipt } from '../../domain/receipts.js';
import type { Database } from '../database.js';
import { notified, type NotifiedDeposit } from './notified-payment.js';

export interface AttributedReceipt extends Receipt {
  /** The deposit that the reference names, whether it exists or not; null where the reference is not ours. */
  readonly depositId: string | null;
}

export interface UnexplainedReceipt {
  readonly receipt: AttributedReceipt;
  /** `null` if it belongs to no deposit of this slot. */
  readonly deposit: NotifiedDeposit | null;
}

/**
 * Those of a page that no deposit shows as the list reports them. A payment that was found before is left out until its
 * returns change.
 */
export async function unexplainedOf(
  database: Database,
  provider: AccountName,
  receipts: readonly AttributedReceipt[],
): Promise<UnexplainedReceipt[]> {
  const listed = new Map(receipts.map((receipt) => [receipt.endToEndId, receipt]));
  const rows = await database.$queryRaw<{ endToEndId: string; deposit: NotifiedDeposit | null }[]>`
    SELECT listed.end_to_end_id AS "endToEndId", ${notified('deposit')} AS deposit
    FROM jsonb_to_recordset(${JSON.stringify([...listed.values()].map(recordOf))}::jsonb)
      AS listed (end_to_end_id text, deposit_id text, returns text)
    LEFT JOIN deposit ON deposit.id = listed.deposit_id AND deposit.provider = ${provider}
    LEFT JOIN operation ON operation.id = deposit.operation_id
    LEFT JOIN unexplained_receipt AS found
      ON found.provider = ${provider} AND found.end_to_end_id = listed.end_to_end_id
    WHERE found.returns IS DISTINCT FROM listed.returns AND NOT coalesce(
      CASE WHEN listed.returns = '' THEN
        deposit.end_to_end_id = listed.end_to_end_id OR listed.end_to_end_id = ANY(deposit.extra_payments)
      ELSE
        deposit.end_to_end_id = listed.end_to_end_id AND deposit.status IN ('returned', 'refunded', 'chargeback')
      END, false)`;
  return withAmounts(rows).map(({ endToEndId, deposit }) => ({ receipt: listed.get(endToEndId)!, deposit }));
}

const recordOf = ({ endToEndId, depositId, returns }: AttributedReceipt) => ({
  end_to_end_id: endToEndId,
  deposit_id: depositId,
  returns,
});

/**
 * Keeps what was found. A return is settled once its deposit was notified, because no state of the row may show a
 * partial return.
 */
export async function keepUnexplainedReceipts(
  database: Database,
  provider: AccountName,
  unknown: readonly UnexplainedReceipt[],
  at: string,
): Promise<void> {
  if (unknown.length === 0) return;
  const rows = unknown.map(({ receipt, deposit }) => ({
    end_to_end_id: receipt.endToEndId,
    reference: receipt.reference,
    deposit_id: deposit?.id ?? null,
    amount_minor: receipt.amountMinor.toString(),
    received_at: receipt.receivedAt,
    returns: receipt.returns,
  }));
  await database.$executeRaw`
    INSERT INTO unexplained_receipt
      (provider, end_to_end_id, reference, deposit_id, amount_minor, received_at, returns, found_at, settled_at)
    SELECT ${provider}, end_to_end_id, reference, deposit_id, amount_minor, received_at, returns, ${at}::timestamptz,
      CASE WHEN deposit_id IS NOT NULL AND returns <> '' THEN ${at}::timestamptz END
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS listed (
      end_to_end_id text, reference text, deposit_id text, amount_minor numeric, received_at timestamptz, returns text
    )
    ON CONFLICT (provider, end_to_end_id) DO UPDATE SET returns = EXCLUDED.returns`;
}
