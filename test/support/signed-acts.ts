// Acts that are signed as the panel has them signed: with a passkey that is stored, over exactly the act.
import { randomUUID } from 'node:crypto';
import { type ActSignature, challengeOf, type SignedAct } from '../../domain/signed-act.js';
import { TestAuthenticator } from './authenticator.js';

export type Query = (sql: string, ...values: unknown[]) => Promise<unknown>;

/** Makes a passkey for the person and signs the act with it. */
export async function signedWithNewPasskey(query: Query, handle: string, act: SignedAct): Promise<ActSignature> {
  const authenticator = new TestAuthenticator('https://panel.example');
  authenticator.create({ challenge: '' });
  await query(
    `INSERT INTO staff_passkey (id, staff_handle, name, public_key, counter, transports, is_synced)
     VALUES ($1, $2, 'laptop', $3, 1, '{internal}', false)`,
    authenticator.id,
    handle,
    authenticator.publicKey,
  );
  return signedBy(authenticator, handle, act);
}

/** The act, signed with the authenticator's key. */
function signedBy(authenticator: TestAuthenticator, handle: string, act: SignedAct): ActSignature {
  const nonce = randomUUID();
  const challenge = Buffer.from(challengeOf(act, handle, nonce)).toString('base64url');
  const { authenticatorData, clientDataJSON: clientData, signature } = authenticator.get({ challenge }).response;
  return { credentialId: authenticator.id, authenticatorData, clientData, signature, nonce };
}
