// The permission to send a payout: one row per withdrawal, held by one attempt of one workflow run. SQL, because the
// claim and its condition are one statement.
import type { Database } from '../database.js';

export interface SendClaim {
  readonly withdrawalId: string;
  /** Our reference at the provider. */
  readonly reference: string;
  /** The attempt that claims. */
  readonly run: string;
  /** The attempt whose claim this one may take over. */
  readonly takesOverFrom: string;
}

/** Claims the permission. False if another attempt holds it. */
export async function claimPayoutSend(
  database: Database,
  { withdrawalId, reference, run, takesOverFrom }: SendClaim,
): Promise<boolean> {
  const claimed = await database.$executeRaw`
    INSERT INTO payout_send (withdrawal_id, reference, run, claimed_at)
    VALUES (${withdrawalId}, ${reference}, ${run}, now())
    ON CONFLICT (withdrawal_id) DO UPDATE SET run = EXCLUDED.run, claimed_at = now()
    WHERE payout_send.run = ${takesOverFrom}`;
  return claimed === 1;
}
