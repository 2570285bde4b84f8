// Passkeys: signing in with one, creating the first one by a code, listing and changing one's own, and the options for
// signing an act.
import { signsNow } from '../../domain/new-passkeys.js';
import { fingerprintOf, type SignedAct } from '../../domain/signed-act.js';
import { changesPasskeys } from '../../domain/staff.js';
import {
  additionOf,
  addPasskey,
  type PasskeyChallenge,
  commandCodeOf,
  enrol,
  enrolmentOptions,
  makeCommandCode,
  registrationOptions,
  removalOf,
  signingOptions,
  signInByPasskey,
  signInOptions,
} from '../../staff/acts/passkeys.js';
import { passkeyById, passkeysOf, removePasskey } from '../../store/staff/passkeys.js';
import { type Actor } from '../../store/staff/acts.js';
import { personOfCode, type StaffSession } from '../../store/staff/sessions.js';
import { signsActs } from '../../staff/viewer.js';
import { type Proof, proven } from '../confirmation.js';
import { attempt, signature } from '../limits.js';
import { isRefusal, type Refusal, refuse } from '../refusal.js';
import type { Handlers } from '../request.js';
import type { PanelServices } from '../services.js';
import { attempted } from '../sign-in-attempts.js';
import { begin } from './session.js';

type PasskeyHandlers = Handlers<
  | 'askSignIn'
  | 'signInByPasskey'
  | 'askEnrolment'
  | 'enrol'
  | 'readPasskeys'
  | 'askRegistration'
  | 'addPasskey'
  | 'removePasskey'
  | 'askSignature'
  | 'makeCommandCode'
>;

export function passkeyHandlers(services: PanelServices): PasskeyHandlers {
  const { database, means } = services;
  // Where acts are signed only, the last one stays.
  const isLastKept = !means.includes('link');
  const withCode = <Answer>(code: string, address: string, work: () => Promise<Answer | Refusal>) =>
    attempted(services, { means: 'link', address, personOf: () => personOfCode(database, code) }, work);
  return {
    askSignIn: async ({ address }) => (await attempt(services, address)) ?? present(await signInOptions(services)),
    signInByPasskey: async ({ body: { challenge_id: challengeId, response }, address, language, setCookie }) => {
      const owner = async () => (await passkeyById(database, response.id))?.handle ?? null;
      return attempted(services, { means: 'passkey', address, personOf: owner }, async () => {
        const begun = await signInByPasskey(services, { challengeId, response });
        if (begun === 'unconfirmed') return refuse('passkey_unconfirmed');
        return begun === null ? refuse('passkey_not_valid') : begin(services, begun, { language, setCookie });
      });
    },
    askEnrolment: ({ body: { token }, address }) =>
      withCode(token, address, async () => {
        const asked = await enrolmentOptions(services, token);
        return asked === null ? refuse('link_not_valid') : present(asked);
      }),
    enrol: ({ body: { token, challenge_id: challengeId, response, name }, address, language, setCookie }) =>
      withCode(token, address, async () => {
        const enrolled = await enrol(services, token, { challengeId, response, name });
        if (enrolled === null) return refuse('link_not_valid');
        const { fingerprint, session: begun } = enrolled;
        return { fingerprint, session: begun === null ? null : await begin(services, begun, { language, setCookie }) };
      }),
    readPasskeys: async ({ session: { handle }, now }) => {
      const held = await passkeysOf(database, handle);
      return {
        items: held.map((passkey) => ({
          id: passkey.id,
          name: passkey.name,
          is_synced: passkey.isSynced,
          created_at: passkey.createdAt,
          last_used_at: passkey.lastUsedAt,
          fingerprint: fingerprintOf(passkey.publicKey),
          signs_from: passkey.signsFrom,
          signs_now: signsNow(passkey, now),
          is_removable: !isLastKept || held.length > 1,
        })),
      };
    },
    askRegistration: async ({ session: { handle, means: by } }) =>
      changesPasskeys(by) ? present(await registrationOptions(services, handle)) : refuse('passkey_needed'),
    addPasskey: async ({ session, body: { challenge_id: challengeId, response, name, proof } }) => {
      const key = { challengeId, response, name };
      const actor = await owner(services, session, additionOf(key), proof);
      if (isRefusal(actor)) return actor;
      return (await addPasskey(services, actor, key)) ? { changed: true } : refuse('passkey_not_valid');
    },
    removePasskey: async ({ session, params: { id }, body: { proof } }) => {
      const actor = await owner(services, session, removalOf(id), proof);
      if (isRefusal(actor)) return actor;
      const outcome = await removePasskey(database, { id, actor, isLastKept });
      if (outcome === 'unknown') return refuse('not_found');
      return outcome === 'last' ? refuse('last_passkey') : { changed: true };
    },
    makeCommandCode: async ({ session, body: { proof } }) => {
      const actor = await owner(services, session, commandCodeOf(session.handle), proof);
      if (isRefusal(actor)) return actor;
      const { code, expiresAt } = await makeCommandCode(database, actor);
      return { sign_in_code: code, expires_at: expiresAt };
    },
    askSignature: async ({ session: { handle }, body }) => {
      const refusal = await signature(services, handle);
      if (refusal !== null) return refusal;
      const { kind, subject_id: subjectId, version: subjectVersion, digest: subjectDigest, reason, evidence } = body;
      const act = { kind, subjectId, subjectVersion, subjectDigest, reason, evidence };
      const asked = await signingOptions(services, handle, act);
      return asked === 'passkey_new' ? refuse(asked) : present(asked);
    },
  };
}

/**
 * The person who changes their own passkeys: they sign it with one that they have. Only somebody who has none yet, in a
 * sandbox, is known by the session.
 */
async function owner(
  services: PanelServices,
  session: StaffSession,
  act: SignedAct,
  proof: Proof | undefined,
): Promise<Actor | Refusal> {
  if (!changesPasskeys(session.means)) return refuse('passkey_needed');
  if (proof !== undefined) return proven(services, session, act, proof);
  const { hasPasskey } = session;
  return signsActs({ hasPasskey, environment: services.environment }) ? refuse('not_signed') : session;
}

function present<Options extends { readonly challenge: string }>({ challengeId, options }: PasskeyChallenge<Options>) {
  return { challenge_id: challengeId, options };
}
