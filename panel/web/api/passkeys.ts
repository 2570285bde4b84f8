// The person's authenticator: signing in, making a passkey, and signing an act. The browser's own functions do the
// work.
import type { Answered, Asking } from '../../../contract/panel/routes.js';
import { ask } from './client.js';
import { refusedHere } from './faults.js';
import type { Session } from './session.js';

type ActToSign = Asking<'askSignature'>['body'];
type Proof = Asking<'signInByPasskey'>['body'];
type Attestation = Asking<'addPasskey'>['body']['response'];
type Options = Answered<'askSignature'>['options'];

export const hasPasskeys = () => typeof PublicKeyCredential !== 'undefined';

/** Signs in with a passkey that the person chooses. */
export async function signInByPasskey(): Promise<Session> {
  return ask('signInByPasskey', { body: await answered(await ask('askSignIn', {})) });
}

/** Creates a passkey on this device for the person who is signed in, who signs it with one that they have. */
export async function addPasskey(session: Session, name: string): Promise<void> {
  const { challenge_id, options } = await ask('askRegistration', {});
  const response = await created(options);
  const proof = await proofOf(session, { kind: 'passkey.add', subject_id: await markOf(response.id), reason: name });
  await ask('addPasskey', { body: { challenge_id, response, name, ...proof } });
}

/** Removes a passkey of the person who is signed in, who signs it. All their sessions end. */
export async function removePasskey(session: Session, id: string): Promise<void> {
  const proof = await proofOf(session, { kind: 'passkey.remove', subject_id: await markOf(id), reason: '' });
  await ask('removePasskey', { params: { id }, body: proof });
}

/** A code for the command line of the person who is signed in, who signs it. */
export async function makeCommandCode(session: Session): Promise<Answered<'makeCommandCode'>> {
  const proof = await proofOf(session, { kind: 'session.command', subject_id: session.handle, reason: '' });
  return ask('makeCommandCode', { body: proof });
}

/** As the panel marks a passkey in an act on it (domain/signed-act.ts). */
async function markOf(credentialId: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(credentialId));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The first sign-in in production: a code, and the passkey that the person makes with it. */
export async function enrol(token: string, asked: Answered<'askEnrolment'>, name: string): Promise<Answered<'enrol'>> {
  const { challenge_id, options } = asked;
  return ask('enrol', { body: { token, challenge_id, response: await created(options), name } });
}

/** The proof that an act is sent with: its signature if the person signs, otherwise nothing. */
export async function proofOf(
  { signs_acts: signs }: Pick<Session, 'signs_acts'>,
  act: Partial<ActToSign> & Pick<ActToSign, 'kind' | 'subject_id' | 'reason'>,
): Promise<{ readonly proof?: Proof }> {
  if (!signs) return {};
  return {
    proof: await answered(await ask('askSignature', { body: { version: 0, digest: null, evidence: '', ...act } })),
  };
}

async function answered({ challenge_id, options }: Answered<'askSignature'>): Promise<Proof> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) throw refusedHere('not_signed');
  return { challenge_id, response: credential.toJSON() as unknown as Proof['response'] };
}

async function created(options: Options): Promise<Attestation> {
  const json = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
  const credential = await navigator.credentials.create({ publicKey }).catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) throw refusedHere('passkey_not_valid');
  return credential.toJSON() as unknown as Attestation;
}
