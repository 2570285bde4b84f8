// Payouts that a list reports as returned in part or whole, and whose withdrawals do not show it. SQL, because a page
// is compared in one statement.
import type { ListedReturn } from '../../domain/listed-payouts.js';
import { withAmounts } from '../../domain/money.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { Database } from '../database.js';
import type { AttributedPayout } from './unexplained-payouts.js';
import { notified, type NotifiedWithdrawal } from './notified-payment.js';

export interface UnnotifiedReturn {
  readonly payout: AttributedPayout;
  readonly withdrawal: NotifiedWithdrawal;
}

/**
 * Those of a page whose withdrawals are paid and were not notified of these returns. A withdrawal stays paid after a
 * partial return, so the notified returns are kept.
 */
export async function unnotifiedReturns(
  database: Database,
  provider: AccountName,
  payouts: readonly AttributedPayout[],
): Promise<UnnotifiedReturn[]> {
  const listed = new Map(payouts.filter(({ returns }) => returns !== '').map((payout) => [payout.payoutId, payout]));
  if (listed.size === 0) return [];
  const records = [...listed.values()].map(({ payoutId, endToEndId, withdrawalId, returns }) => ({
    payout_id: payoutId,
    end_to_end_id: endToEndId,
    withdrawal_id: withdrawalId,
    returns,
  }));
  const rows = await database.$queryRaw<{ payoutId: string; withdrawal: NotifiedWithdrawal }[]>`
    SELECT listed.payout_id AS "payoutId", ${notified('withdrawal')} AS withdrawal
    FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      AS listed (payout_id text, end_to_end_id text, withdrawal_id text, returns text)
    CROSS JOIN LATERAL (
      SELECT id, operation_id, external_id, status, amount_minor FROM withdrawal AS paid
      WHERE paid.provider = ${provider} AND paid.status = 'paid'
        AND (paid.id = listed.withdrawal_id OR paid.psp_reference = listed.end_to_end_id)
      LIMIT 1
    ) AS withdrawal
    JOIN operation ON operation.id = withdrawal.operation_id
    LEFT JOIN unexplained_payout AS found ON found.provider = ${provider} AND found.payout_id = listed.payout_id
    WHERE found.returns IS DISTINCT FROM listed.returns`;
  return withAmounts(rows).map(({ payoutId, withdrawal }) => ({ payout: listed.get(payoutId)!, withdrawal }));
}

/** Keeps the returns that the withdrawals were notified of. The database shows these payouts, so they are explained. */
export async function keepReturns(
  database: Database,
  provider: AccountName,
  unnotified: readonly UnnotifiedReturn[],
  at: string,
): Promise<void> {
  if (unnotified.length === 0) return;
  const records = unnotified.map(({ payout, withdrawal }) => ({
    payout_id: payout.payoutId,
    end_to_end_id: payout.endToEndId,
    withdrawal_id: withdrawal.id,
    amount_minor: payout.amountMinor.toString(),
    sent_at: payout.sentAt,
    returns: payout.returns,
  }));
  await database.$executeRaw`
    INSERT INTO unexplained_payout
      (provider, payout_id, end_to_end_id, withdrawal_id, amount_minor, sent_at, is_settled, returns, found_at,
       explained_at)
    SELECT ${provider}, payout_id, end_to_end_id, withdrawal_id, amount_minor, sent_at, true, returns,
      ${at}::timestamptz, ${at}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb) AS listed (
      payout_id text, end_to_end_id text, withdrawal_id text, amount_minor numeric, sent_at timestamptz, returns text
    )
    ON CONFLICT (provider, payout_id) DO UPDATE SET returns = EXCLUDED.returns`;
}

/** A receiving bank that refuses a payment sends it back within moments, seldom later. */
const SENT_BACK_WITHIN_SECONDS = 24 * 3_600;
/** Withdrawals of one amount that are asked about one return. */
const MOST_ASKED = 10;

/**
 * The withdrawals that a return without its payment may belong to: the latest paid ones of exactly its amount. A known
 * return of a deposit belongs to none.
 */
export async function mayBeReturned(
  database: Database,
  provider: AccountName,
  returns: readonly ListedReturn[],
): Promise<NotifiedWithdrawal[]> {
  if (returns.length === 0) return [];
  const records = returns.map(({ returnId, amountMinor, returnedAt }) => ({
    return_id: returnId,
    amount_minor: amountMinor.toString(),
    returned_at: returnedAt,
  }));
  const rows = await database.$queryRaw<{ withdrawal: NotifiedWithdrawal }[]>`
    SELECT DISTINCT ${notified('withdrawal')} AS withdrawal
    FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      AS listed (return_id text, amount_minor numeric, returned_at timestamptz)
    CROSS JOIN operation
    CROSS JOIN LATERAL (
      SELECT id, operation_id, external_id, status, amount_minor FROM withdrawal AS paid
      WHERE paid.operation_id = operation.id AND paid.provider = ${provider} AND paid.status = 'paid'
        AND paid.updated_at > listed.returned_at - make_interval(secs => ${SENT_BACK_WITHIN_SECONDS})
        AND paid.amount_minor = listed.amount_minor
      ORDER BY paid.updated_at DESC LIMIT ${MOST_ASKED}
    ) AS withdrawal
    WHERE NOT EXISTS (SELECT FROM return_id WHERE return_id.return_id = listed.return_id)`;
  return withAmounts(rows).map(({ withdrawal }) => withdrawal);
}
