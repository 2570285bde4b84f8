// Signing in with a one-time link, who one is, and signing out.
import type { Answering } from '../../contract/panel/routes.js';
import type { LANGUAGES } from '../../contract/panel/schemas/session.js';
import { REVEAL_SECONDS } from '../../staff/acts/reveal.js';
import { operationNames } from '../../store/operations/operations.js';
import { CLAIM_SECONDS } from '../../store/payments/review-claims.js';
import { beginSession, endSession, sessionOf, type StaffSession } from '../../store/staff/sessions.js';
import { refuse } from '../refusal.js';
import type { Handlers } from '../request.js';
import type { PanelServices } from '../services.js';

type SessionHandlers = Handlers<'signIn' | 'readSession' | 'signOut'>;

export function sessionHandlers(services: PanelServices): SessionHandlers {
  const { database } = services;
  return {
    signIn: async ({ body: { token: link }, language, setCookie }) => {
      const begun = await beginSession(database, link, 'link');
      const session = begun === null ? null : await sessionOf(database, begun.token, 'link');
      if (begun === null || session === null) return refuse('link_not_valid');
      setCookie(begun.token);
      return present(services, session, language);
    },
    readSession: ({ session, language }) => present(services, session, language),
    signOut: async ({ session, setCookie }) => {
      await endSession(database, session);
      setCookie(null);
      return { signed_out: true };
    },
  };
}

async function present(
  { database, environment, decideWithinSeconds }: PanelServices,
  { handle, roles, idleUntil, endsAt }: StaffSession,
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
    idle_until: idleUntil < endsAt ? idleUntil : endsAt,
    ends_at: endsAt,
    limits: {
      decide_within_seconds: decideWithinSeconds,
      claim_seconds: CLAIM_SECONDS,
      reveal_seconds: REVEAL_SECONDS,
    },
  };
}
