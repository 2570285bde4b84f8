// Passkeys: signing in with one, creating the first one by a code, listing and changing one's own, and the options for
// signing an act.
import { changesPasskeys } from '../../domain/staff.js';
import {
  addPasskey,
  type Asked,
  enrol,
  enrolmentOptions,
  registrationOptions,
  signingOptions,
  signInByPasskey,
  signInOptions,
} from '../../staff/acts/passkeys.js';
import { passkeyById, passkeysOf, removePasskey } from '../../store/staff/passkeys.js';
import { personOfCode } from '../../store/staff/sessions.js';
import { attempt, signature } from '../limits.js';
import { refuse } from '../refusal.js';
import type { Handlers } from '../request.js';
import type { PanelServices } from '../services.js';
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
>;

export function passkeyHandlers(services: PanelServices): PasskeyHandlers {
  const { database, means } = services;
  // Where acts are signed only, the last one stays.
  const isLastKept = !means.includes('link');
  return {
    askSignIn: async ({ address }) => (await attempt(services, address)) ?? present(await signInOptions(services)),
    signInByPasskey: async ({ body: { challenge_id: challengeId, response }, address, language, setCookie }) => {
      const owner = async () => (await passkeyById(database, response.id))?.handle ?? null;
      const refusal = await attempt(services, address, owner);
      if (refusal !== null) return refusal;
      const begun = await signInByPasskey(services, { challengeId, response });
      return begun === null ? refuse('passkey_not_valid') : begin(services, begun, { language, setCookie });
    },
    askEnrolment: async ({ body: { token }, address }) => {
      const refusal = await attempt(services, address, () => personOfCode(database, token));
      if (refusal !== null) return refusal;
      const asked = await enrolmentOptions(services, token);
      return asked === null ? refuse('link_not_valid') : present(asked);
    },
    enrol: async ({ body: { token, challenge_id: challengeId, response, name }, address, language, setCookie }) => {
      const refusal = await attempt(services, address, () => personOfCode(database, token));
      if (refusal !== null) return refusal;
      const begun = await enrol(services, token, { challengeId, response, name });
      return begun === null ? refuse('link_not_valid') : begin(services, begun, { language, setCookie });
    },
    readPasskeys: async ({ session: { handle } }) => {
      const held = await passkeysOf(database, handle);
      return {
        items: held.map(({ id, name, isSynced, createdAt, lastUsedAt }) => ({
          id,
          name,
          is_synced: isSynced,
          created_at: createdAt,
          last_used_at: lastUsedAt,
          is_removable: !isLastKept || held.length > 1,
        })),
      };
    },
    askRegistration: async ({ session: { handle, means: by } }) =>
      changesPasskeys(by) ? present(await registrationOptions(services, handle)) : refuse('passkey_needed'),
    addPasskey: async ({ session: { handle, means: by }, body: { challenge_id: challengeId, response, name } }) => {
      if (!changesPasskeys(by)) return refuse('passkey_needed');
      return (await addPasskey(services, handle, { challengeId, response, name }))
        ? { changed: true }
        : refuse('passkey_not_valid');
    },
    removePasskey: async ({ session: { handle, means: by }, params: { id } }) => {
      if (!changesPasskeys(by)) return refuse('passkey_needed');
      const outcome = await removePasskey(database, { id, handle, isLastKept });
      if (outcome === 'unknown') return refuse('not_found');
      return outcome === 'last' ? refuse('last_passkey') : { changed: true };
    },
    askSignature: async ({ session: { handle }, body }) => {
      const refusal = await signature(services, handle);
      if (refusal !== null) return refusal;
      const { kind, subject_id: subjectId, version: subjectVersion, digest: subjectDigest, reason, evidence } = body;
      const act = { kind, subjectId, subjectVersion, subjectDigest, reason, evidence };
      return present(await signingOptions(services, handle, act));
    },
  };
}

function present<Options extends { readonly challenge: string }>({ challengeId, options }: Asked<Options>) {
  return { challenge_id: challengeId, options };
}
