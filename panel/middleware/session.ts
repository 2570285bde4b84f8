// Who asks: the session of the cookie, and the roles that its person holds at this moment.
import { PANEL_ROUTES, type PanelRouteName } from '../../contract/panel/routes.js';
import type { PanelRoute } from '../../contract/panel/route.js';
import { panelMeansIn, reachOf, type Reach } from '../../domain/staff.js';
import type { Database } from '../../store/database.js';
import { sessionOf, type StaffSession } from '../../store/staff/sessions.js';
import { refuse } from '../refusal.js';
import type { Middleware, RequestContext } from '../request.js';
import { answerRefusal } from './answer.js';

/** The browser keeps such a cookie to this host, over TLS or on this machine. */
const COOKIE = '__Host-panel';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';
const TOKEN = /(?:^|;\s*)__Host-panel=([A-Za-z0-9_-]{43})(?:;|$)/;

export function setCookie(context: RequestContext, token: string | null): void {
  context.set(
    'Set-Cookie',
    token === null ? `${COOKIE}=; Max-Age=0; ${ATTRIBUTES}` : `${COOKIE}=${token}; ${ATTRIBUTES}`,
  );
}

/** Refuses whoever has no session, and whoever has no role that is enough for the route. */
export function signedIn(database: Database, environment: 'sandbox' | 'production'): Middleware {
  const means = panelMeansIn(environment);
  return async (context, next) => {
    const name = context.state.route;
    if (name === undefined) throw new Error('a request without a route');
    const { who }: PanelRoute = PANEL_ROUTES[name];
    if (who === 'public') return next();
    const token = TOKEN.exec(context.get('Cookie'))?.[1];
    const session = token === undefined ? null : await sessionOf(database, token, means);
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
