// Challenges that an authenticator signs, or that an identity provider repeats. The panel makes them; each is valid for
// minutes and for one answer. SQL, because they expire by the database's clock.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '../database.js';
import type { Transaction } from '../transactions.js';

/** A person looks for a security key, and touches it; or signs in elsewhere, by the steps required there. */
const LASTS_MINUTES = { sign_in: 5, oidc: 10, register: 5, act: 5 } as const satisfies Record<
  Challenge['purpose'],
  number
>;

export type Challenge =
  /** Somebody signs in, or is about to register another passkey: the bytes are random. */
  | { readonly purpose: 'sign_in'; readonly handle: null; readonly nonce: null }
  /** Somebody signs in at the identity provider, which puts the bytes into its ID token. */
  | { readonly purpose: 'oidc'; readonly handle: null; readonly nonce: null }
  | { readonly purpose: 'register'; readonly handle: string; readonly nonce: null }
  /** The bytes are the act's (domain/signed-act.ts). */
  | { readonly purpose: 'act'; readonly handle: string; readonly nonce: string };

export interface StoredChallenge {
  readonly challenge: Uint8Array;
  readonly nonce: string | null;
}

export const randomChallenge = () => Uint8Array.from(randomBytes(32));

/** Stores it and answers its id. Forgets what is over. */
export async function insertChallenge(
  database: Database,
  { purpose, handle, nonce }: Challenge,
  challenge: Uint8Array,
): Promise<string> {
  const id = `chl_${randomUUID().replaceAll('-', '')}`;
  await database.$executeRaw`
    WITH forgotten AS (
      DELETE FROM staff_challenge WHERE id IN (
        SELECT id FROM staff_challenge WHERE expires_at < now() - interval '5 minutes' LIMIT 20
      )
    )
    INSERT INTO staff_challenge (id, purpose, challenge, staff_handle, nonce, expires_at)
    VALUES (${id}, ${purpose}, ${Buffer.from(challenge)}, ${handle}, ${nonce},
      now() + make_interval(mins => ${LASTS_MINUTES[purpose]}::int))`;
  return id;
}

/** Uses it up. `null` if it is unknown, used, too old, for something else or for another person. */
export async function useChallenge(
  database: Pick<Database | Transaction, '$queryRaw'>,
  id: string,
  { purpose, handle }: Pick<Challenge, 'purpose' | 'handle'>,
): Promise<StoredChallenge | null> {
  const [used] = await database.$queryRaw<StoredChallenge[]>`
    UPDATE staff_challenge SET used_at = now()
    WHERE id = ${id} AND purpose = ${purpose} AND staff_handle IS NOT DISTINCT FROM ${handle}::text
      AND used_at IS NULL AND expires_at > now()
    RETURNING challenge, nonce`;
  return used ?? null;
}
