// The person behind a request: the session of the cookie, and the roles that its person holds now.
import { PANEL_ROUTES, type PanelRouteName } from '../../contract/panel/routes.js';
import { AUTOMATIC_HEADER, type PanelRoute } from '../../contract/panel/route.js';
import { type PanelMeans, reachOf, type Reach } from '../../domain/staff.js';
import type { Database } from '../../store/database.js';
import { sessionOf, type StaffSession } from '../../store/staff/sessions.js';
import { refuse } from '../refusal.js';
import type { Middleware, RequestContext } from '../request.js';
import { answerRefusal } from './answer.js';

/** Browsers send cookies with this prefix to this host only, over TLS or on this machine. */
const COOKIES = {
  session: '__Host-panel',
  /** Between going to the identity provider and coming back. The page asks with it: a site that leads here cannot. */
  ticket: '__Host-panel-oidc',
} as const;
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Sets the cookie, or (null) removes it. */
export function setCookie(context: RequestContext, name: keyof typeof COOKIES, value: string | null): void {
  const pair = `${COOKIES[name]}=${value ?? ''}`;
  context.append('Set-Cookie', value === null ? `${pair}; Max-Age=0; ${ATTRIBUTES}` : `${pair}; ${ATTRIBUTES}`);
}

export function cookieOf(context: RequestContext, name: keyof typeof COOKIES): string | undefined {
  const pairs = context.get('Cookie').split(/;\s*/);
  return pairs.find((pair) => pair.startsWith(`${COOKIES[name]}=`))?.slice(COOKIES[name].length + 1);
}

/**
 * Refuses requests without a session, and those of people without a role that is enough for the route. The stream and a
 * page's automatic requests, which carry a header, do not show that a person is present.
 */
export function signedIn(database: Database, means: readonly PanelMeans[]): Middleware {
  return async (context, next) => {
    const name = context.state.route;
    if (name === undefined) throw new Error('a request without a route');
    const { who }: PanelRoute = PANEL_ROUTES[name];
    if (who === 'public') return next();
    const token = cookieOf(context, 'session');
    const isUsed = name !== 'stream' && context.get(AUTOMATIC_HEADER) !== '1';
    const session = token === undefined || !TOKEN.test(token) ? null : await sessionOf(database, token, means, isUsed);
    if (session === null) return answerRefusal(context, refuse('not_signed_in'));
    context.state.session = session;
    const reach = reachFor(name, session);
    if (who !== 'signed_in' && reach !== 'every' && reach.length === 0)
      return answerRefusal(context, refuse('not_permitted'));
    await next();
  };
}

/** The operations in which a role of the session is enough for the route. */
export function reachFor(name: PanelRouteName, { roles }: Pick<StaffSession, 'roles'>): Reach {
  const { who }: PanelRoute = PANEL_ROUTES[name];
  return reachOf(roles, typeof who === 'string' ? roles.map(({ role }) => role) : who);
}
