// Sessions: the signed-in person, signing in with a one-time link, and signing out.
import type { Answering } from '../../contract/panel/routes.js';
import type { LANGUAGES } from '../../contract/panel/schemas/session.js';
import { changesPasskeys } from '../../domain/staff.js';
import { REVEAL_SECONDS } from '../../staff/acts/reveal.js';
import { signsActs } from '../../staff/viewer.js';
import { operationNames } from '../../store/operations/operations.js';
import { CLAIM_SECONDS } from '../../store/support/review-claims.js';
import {
  beginSession,
  endSession,
  type NewSession,
  personOfCode,
  openSessionsOf,
  sessionOf,
  type StaffSession,
} from '../../store/staff/sessions.js';
import { refuse } from '../refusal.js';
import type { HandlerRequest, Handlers } from '../request.js';
import type { PanelServices } from '../services.js';
import { attempted } from '../sign-in-attempts.js';

type SessionHandlers = Handlers<'readSignIn' | 'signIn' | 'readSession' | 'readSessions' | 'endSession' | 'signOut'>;

export function sessionHandlers(services: PanelServices): SessionHandlers {
  const { database, means } = services;
  return {
    readSignIn: async () => ({ means: [...means] }),
    signIn: async ({ body: { token: link }, address, language, setCookie }) => {
      if (!means.includes('link')) return refuse('link_not_valid');
      const personOf = () => personOfCode(database, link);
      return attempted(services, { means: 'link', address, personOf }, async () => {
        const begun = await beginSession(database, link, 'link', ['sign_in']);
        return begun === null ? refuse('link_not_valid') : begin(services, begun, { language, setCookie });
      });
    },
    readSession: ({ session, language }) => present(services, session, language),
    readSessions: async ({ session: { handle, sessionId } }) => {
      const open = await openSessionsOf(database, handle);
      return {
        items: open.map(({ id, means: by, createdAt, lastSeenAt }) => ({
          id,
          means: by,
          began_at: createdAt,
          last_seen_at: lastSeenAt,
          is_current: id === sessionId,
        })),
      };
    },
    endSession: async ({ session: { handle }, params: { id } }) => ({ ended: await endSession(database, handle, id) }),
    signOut: async ({ session: { handle, sessionId }, setCookie }) => {
      await endSession(database, handle, sessionId);
      setCookie(null);
      return { signed_out: true };
    },
  };
}

/** Sets the session cookie after a successful sign-in. */
export async function begin(
  services: PanelServices,
  { token }: NewSession,
  { language, setCookie }: Pick<HandlerRequest<'signIn'>, 'language' | 'setCookie'>,
): Promise<Answering<'readSession'>> {
  const session = await sessionOf(services.database, token, services.means, true);
  if (session === null) throw new Error('a session that was just begun is not there');
  setCookie(token);
  return present(services, session, language);
}

async function present(
  { database, environment, decideWithinSeconds }: PanelServices,
  { handle, means, roles, hasPasskey, idleUntil, endsAt }: StaffSession,
  language: (typeof LANGUAGES)[number],
): Promise<Answering<'readSession'>> {
  const names = await operationNames(
    database,
    roles.flatMap(({ operationId }) => operationId ?? []),
  );
  return {
    handle,
    roles: roles.map(({ role, operationId: id }) => ({
      role,
      operation: id === null ? null : { id, name: names.get(id) ?? id },
    })),
    language,
    environment,
    signs_acts: signsActs({ hasPasskey, environment }),
    changes_passkeys: changesPasskeys(means),
    idle_until: idleUntil < endsAt ? idleUntil : endsAt,
    ends_at: endsAt,
    limits: {
      decide_within_seconds: decideWithinSeconds,
      claim_seconds: CLAIM_SECONDS,
      reveal_seconds: REVEAL_SECONDS,
    },
  };
}
