// Who works on a case now. A claim is advisory: colleagues see it, and it prevents nothing. SQL, because a claim that
// has not ended stays with the person who has it.
import type { Database } from '../database.js';

export const CLAIM_SECONDS = 300;

export interface Claim {
  readonly person: string;
  readonly until: Date;
}

/** Claims the case, unless someone else has it. Returns who has it. */
export async function claimCase(database: Database, paymentId: string, handle: string): Promise<Claim | null> {
  await database.$executeRaw`
    INSERT INTO review_claim AS claim (payment_id, staff_handle, expires_at)
    VALUES (${paymentId}, ${handle}, now() + make_interval(secs => ${CLAIM_SECONDS}))
    ON CONFLICT (payment_id) DO UPDATE SET staff_handle = excluded.staff_handle, expires_at = excluded.expires_at
    WHERE claim.staff_handle = excluded.staff_handle OR claim.expires_at <= now()`;
  return claimOf(database, paymentId);
}

/** Gives the person's own claim up. Returns who has the case. */
export async function releaseCase(database: Database, paymentId: string, handle: string): Promise<Claim | null> {
  await database.reviewClaim.deleteMany({ where: { paymentId, staffHandle: handle } });
  return claimOf(database, paymentId);
}

/** Who has the case; `null` if no one does. */
export async function claimOf(database: Database, paymentId: string): Promise<Claim | null> {
  const [claim] = await database.$queryRaw<Claim[]>`
    SELECT staff_handle AS person, expires_at AS until FROM review_claim
    WHERE payment_id = ${paymentId} AND expires_at > now()`;
  return claim ?? null;
}
