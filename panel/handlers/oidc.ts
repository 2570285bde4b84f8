// Signing in by the company's identity provider. The browser goes there and comes back to the page, which asks with
// what the provider answered: so the request is the page's own, with the browser's ticket.
import { askProvider, type OidcServices, recognisedByProvider } from '../../staff/acts/oidc.js';
import { beginOidcSession } from '../../store/staff/sessions.js';
import { attempt, attemptOf } from '../limits.js';
import { refuse } from '../refusal.js';
import type { Handlers } from '../request.js';
import type { PanelServices } from '../services.js';
import { attempted } from '../sign-in-attempts.js';
import { begin } from './session.js';

type OidcHandlers = Handlers<'askProvider' | 'signInByProvider'>;

export function oidcHandlers(services: PanelServices): OidcHandlers {
  const oidc = oidcServices(services);
  return {
    askProvider: async ({ address, setTicket }) => {
      if (oidc === null) return refuse('not_found');
      const refusal = await attempt(services, address);
      if (refusal !== null) return refusal;
      const asked = await askProvider(oidc);
      if (asked === null) return refuse('oidc_away');
      setTicket(asked.ticket);
      return { address: asked.address };
    },
    signInByProvider: async ({ body: { answer }, address, ticket, setTicket, language, setCookie }) => {
      if (oidc === null) return refuse('not_found');
      return attempted(services, { means: 'oidc', address }, async (about) => {
        const recognised = await recognisedByProvider(oidc, answer, ticket);
        switch (recognised.kind) {
          case 'not_valid':
            return refuse('oidc_not_valid');
          case 'away':
            return refuse('oidc_away');
          case 'recognised': {
            const { issuer, subject, handle } = recognised;
            about.person = handle;
            const limited = handle === null ? null : await attemptOf(services, handle);
            if (limited !== null) return limited;
            const begun = await beginOidcSession(services.database, issuer, subject);
            if (begun === null) return refuse('oidc_nobody', { subject });
            setTicket(null);
            return begin(services, begun, { language, setCookie });
          }
        }
      });
    },
  };
}

function oidcServices({ database, identityProvider, log }: PanelServices): OidcServices | null {
  if (identityProvider === null) return null;
  const note = (reason: string) => log.warn({ reason }, 'the identity provider signed nobody in');
  return { database, provider: identityProvider, note };
}
