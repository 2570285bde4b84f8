// Passkeys: registering one, signing in with it, and signing an act. Only the authenticator's signature over a
// challenge of this process is trusted in the browser's answer (WebAuthn level 3).
import { randomUUID } from 'node:crypto';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { signsAct } from '../../domain/new-passkeys.js';
import { challengeOf, fingerprintOf, markOfPasskey, type SignedAct } from '../../domain/signed-act.js';
import type { CodePurpose, OwnActKind } from '../../domain/staff.js';
import type { Database } from '../../store/database.js';
import { type Actor, storeOwnAct } from '../../store/staff/acts.js';
import { insertChallenge, randomChallenge, useChallenge } from '../../store/staff/challenges.js';
import {
  insertPasskey,
  type NewPasskey,
  notePasskeyUse,
  type Passkey,
  passkeyById,
  passkeysOf,
} from '../../store/staff/passkeys.js';
import { appendAudit } from '../../store/audit/audit.js';
import {
  issueSignInCode,
  type NewSession,
  personOfCode,
  type SignInCode,
  startSession,
  useSignInCode,
} from '../../store/staff/sessions.js';
import { inTransaction, type Transaction } from '../../store/transactions.js';

/** The panel as browsers and authenticators know it. */
export interface RelyingParty {
  /** The host of the panel: passkeys work there and nowhere else. */
  readonly id: string;
  readonly origin: string;
}

export interface PasskeyServices {
  readonly database: Database;
  readonly relyingParty: RelyingParty;
}

export interface PasskeyChallenge<Options> {
  readonly challengeId: string;
  readonly options: Options;
}

/** A browser's answer. */
export interface PasskeyAnswer<Response> {
  readonly challengeId: string;
  readonly response: Response;
}

const NAME = 'Operator Payments Gateway';

/** What an authenticator needs to sign a person in: it knows whose passkeys it has. */
export async function signInOptions({
  database,
  relyingParty,
}: PasskeyServices): Promise<PasskeyChallenge<PublicKeyCredentialRequestOptionsJSON>> {
  const challenge = randomChallenge();
  const challengeId = await insertChallenge(database, { purpose: 'sign_in', handle: null, nonce: null }, challenge);
  return { challengeId, options: await requestOptions(relyingParty, challenge, []) };
}

/**
 * Begins a session. `null`: the challenge, the passkey or the signature is not good. `unconfirmed`: the passkey waits
 * for a second person.
 */
export async function signInByPasskey(
  services: PasskeyServices,
  { challengeId, response }: PasskeyAnswer<AuthenticationResponseJSON>,
): Promise<NewSession | 'unconfirmed' | null> {
  const { database } = services;
  const asked = await useChallenge(database, challengeId, { purpose: 'sign_in', handle: null });
  const passkey = await passkeyById(database, response.id);
  if (asked === null || passkey === null) return null;
  const counter = await verifiedCounter(services, passkey, asked.challenge, response);
  if (counter === null) return null;
  if (passkey.signsFrom === null) return 'unconfirmed';
  return inTransaction(database, async (transaction) => {
    if (!(await notePasskeyUse(transaction, passkey.id, counter))) return null;
    return startSession(transaction, passkey.handle, 'passkey');
  });
}

/** What an authenticator needs to make a passkey for the person. */
export async function registrationOptions(
  { database, relyingParty }: PasskeyServices,
  handle: string,
): Promise<PasskeyChallenge<PublicKeyCredentialCreationOptionsJSON>> {
  const [challenge, held] = [randomChallenge(), await passkeysOf(database, handle)];
  const challengeId = await insertChallenge(database, { purpose: 'register', handle, nonce: null }, challenge);
  const options = await generateRegistrationOptions({
    rpName: NAME,
    rpID: relyingParty.id,
    userName: handle,
    userID: Uint8Array.from(Buffer.from(handle, 'utf8')),
    challenge,
    attestationType: 'none',
    excludeCredentials: held.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { challengeId, options };
}

/**
 * The options for the first passkey of the owner of a sign-in code, which is not used up. `null` if the code is not
 * valid or the person has a passkey already: otherwise an admin who issues codes could act as anyone. An admin removes
 * the passkeys first, which everybody can see.
 */
export async function enrolmentOptions(services: PasskeyServices, code: string) {
  const handle = await personOfCode(services.database, code, ENROLLING);
  if (handle === null || (await passkeysOf(services.database, handle)).length > 0) return null;
  return registrationOptions(services, handle);
}

/** A sandbox's links make passkeys, too. */
const ENROLLING: readonly CodePurpose[] = ['sign_in', 'enrolment'];

interface NewKey extends PasskeyAnswer<RegistrationResponseJSON> {
  /** The person's name for the device. */
  readonly name: string;
}

type OwnAct = SignedAct & { readonly kind: OwnActKind };

/**
 * What a person signs to add this passkey: its name is what they call the device. The credential's id is new with every
 * passkey, so that no other one can be added with the signature.
 */
export function additionOf({ response, name }: Pick<NewKey, 'response' | 'name'>): OwnAct {
  return { ...OWN_ACT, kind: 'passkey.add', subjectId: markOfPasskey(response.id), reason: name };
}

/** What a person signs to remove a passkey. */
export function removalOf(id: string): OwnAct {
  return { ...OWN_ACT, kind: 'passkey.remove', subjectId: markOfPasskey(id), reason: '' };
}

/** What a person signs to make a code for their command line. */
export function commandCodeOf(handle: string): OwnAct {
  return { ...OWN_ACT, kind: 'session.command', subjectId: handle, reason: '' };
}

/** A code that begins one session of the command line, for the person who has signed it. */
export async function makeCommandCode(database: Database, actor: Actor): Promise<SignInCode> {
  const { kind, subjectId, reason } = commandCodeOf(actor.handle);
  return inTransaction(database, async (transaction) => {
    const person = await storeOwnAct(transaction, { actor, kind, subjectId, reason });
    const entry = { action: 'staff.command_code', operationId: null, subject: actor.handle } as const;
    await appendAudit(transaction, { ...entry, person });
    return issueSignInCode(transaction, { handle: actor.handle, by: actor.handle, purpose: 'command' });
  });
}

const OWN_ACT = { subjectVersion: 0, subjectDigest: null, evidence: '' } as const;

/**
 * Adds a passkey to those of a person who has signed it. `false` if the answer is not to this challenge, or the person
 * has too many.
 */
export async function addPasskey(services: PasskeyServices, actor: Actor, key: NewKey): Promise<boolean> {
  return inTransaction(services.database, async (transaction) => {
    const credential = await register(transaction, services, actor.handle, key);
    if (credential === null) return false;
    const { kind, subjectId, reason } = additionOf(key);
    const by = await storeOwnAct(transaction, { actor, kind, subjectId, reason });
    return (await insertPasskey(transaction, { ...credential, issuedBy: null }, by)) !== null;
  });
}

/**
 * A new passkey, what two people compare of it, and the session that it begins: none if it waits for a second person.
 */
export interface Enrolment {
  readonly fingerprint: string;
  readonly session: NewSession | null;
}

/**
 * A person's first passkey: the code is used up and the passkey stored. `null` if one of these fails. In production the
 * passkey signs nobody in before a second person has confirmed it: whoever gave the code knows it, too.
 */
export async function enrol(services: PasskeyServices, code: string, key: NewKey): Promise<Enrolment | null> {
  try {
    return await inTransaction(services.database, async (transaction) => {
      const used = await useSignInCode(transaction, code, ENROLLING);
      if (used === null || (await passkeysOf(transaction, used.handle)).length > 0) throw new NotEnrolled();
      const { handle, issuedBy } = used;
      const credential = await register(transaction, services, handle, key);
      if (credential === null) throw new NotEnrolled();
      const passkey = await insertPasskey(transaction, { ...credential, issuedBy });
      if (passkey === null) throw new NotEnrolled();
      const isWaiting = passkey.signsFrom === null;
      const session = isWaiting ? null : await startSession(transaction, handle, 'passkey');
      return { fingerprint: fingerprintOf(passkey.publicKey), session };
    });
  } catch (error) {
    if (error instanceof NotEnrolled) return null;
    throw error;
  }
}

/** Takes the use of the code back. */
class NotEnrolled extends Error {}

/** The passkey that the authenticator made for this challenge; `null` if it did not. */
async function register(
  transaction: Transaction,
  { relyingParty }: PasskeyServices,
  handle: string,
  { challengeId, response, name }: NewKey,
): Promise<Omit<NewPasskey, 'issuedBy'> | null> {
  const asked = await useChallenge(transaction, challengeId, { purpose: 'register', handle });
  if (asked === null) return null;
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: base64url(asked.challenge),
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
  }).catch(() => null);
  if (verified?.registrationInfo === undefined || !verified.verified) return null;
  const { credential, credentialBackedUp: isSynced } = verified.registrationInfo;
  const { id, publicKey, counter, transports = [] } = credential;
  return { id, handle, name, publicKey, counter, transports, isSynced };
}

/** What the person's authenticators need to sign this act; `passkey_new` if none of their passkeys signs yet. */
export async function signingOptions(
  { database, relyingParty }: PasskeyServices,
  handle: string,
  act: SignedAct,
): Promise<PasskeyChallenge<PublicKeyCredentialRequestOptionsJSON> | 'passkey_new'> {
  const nonce = randomUUID();
  const [challenge, passkeys] = [challengeOf(act, handle, nonce), await passkeysOf(database, handle)];
  const held = passkeys.filter((passkey) => signsAct(passkey, act.kind, new Date()));
  if (held.length === 0 && passkeys.length > 0) return 'passkey_new';
  const challengeId = await insertChallenge(database, { purpose: 'act', handle, nonce }, challenge);
  return { challengeId, options: await requestOptions(relyingParty, challenge, held) };
}

/**
 * The person who signed exactly this act. `null` if the signature is for another act, used, too old, or not theirs;
 * `passkey_new` if it is that of a passkey that signs nothing yet.
 */
export async function signerOf(
  services: PasskeyServices,
  { handle, sessionId }: Actor,
  act: SignedAct,
  { challengeId, response }: PasskeyAnswer<AuthenticationResponseJSON>,
): Promise<Actor | 'passkey_new' | null> {
  const { database } = services;
  const asked = await useChallenge(database, challengeId, { purpose: 'act', handle });
  if (asked === null || asked.nonce === null) return null;
  const { nonce } = asked;
  const challenge = challengeOf(act, handle, nonce);
  const passkey = await passkeyById(database, response.id);
  if (passkey === null || passkey.handle !== handle) return null;
  const counter = await verifiedCounter(services, passkey, challenge, response);
  if (counter === null || !(await notePasskeyUse(database, passkey.id, counter))) return null;
  if (!signsAct(passkey, act.kind, new Date())) return 'passkey_new';
  const { authenticatorData, clientDataJSON: clientData, signature } = response.response;
  const proof = { credentialId: passkey.id, authenticatorData, clientData, signature, nonce };
  return { handle, sessionId, means: 'signature', signature: proof };
}

function requestOptions({ id: rpID }: RelyingParty, challenge: Uint8Array<ArrayBuffer>, allowed: readonly Passkey[]) {
  return generateAuthenticationOptions({
    rpID,
    challenge,
    allowCredentials: allowed.map(({ id, transports }) => ({ id, transports: [...transports] as never })),
    userVerification: 'required',
  });
}

/** The authenticator's counter after this signature. Null: it is not one of this passkey over this challenge. */
async function verifiedCounter(
  { relyingParty }: PasskeyServices,
  { id, publicKey, counter }: Passkey,
  challenge: Uint8Array,
  response: AuthenticationResponseJSON,
): Promise<number | null> {
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: base64url(challenge),
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    credential: { id, publicKey: Uint8Array.from(publicKey), counter },
    requireUserVerification: true,
  }).catch(() => null);
  return verified?.verified === true ? verified.authenticationInfo.newCounter : null;
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
