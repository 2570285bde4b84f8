// Finds the route of a request in the table, by the router's own matching. A route without roles does not start the
// panel.
import { Router } from '@koa/router';
import { PANEL_API, type PanelRoute } from '../contract/panel/route.js';
import { PANEL_ROUTES, type PanelRouteName } from '../contract/panel/routes.js';

export interface Match {
  readonly route: PanelRouteName;
  /** Decoded. The schema of the route says which values there may be. */
  readonly params: Readonly<Record<string, string>>;
}

/** Throws if a route names no role. */
export function createMatcher(routes: Readonly<Record<string, PanelRoute>> = PANEL_ROUTES) {
  const router = new Router({ prefix: PANEL_API, sensitive: true, strict: true });
  for (const [name, { method, path, who }] of Object.entries(routes)) {
    if (typeof who !== 'string' && who.length === 0) throw new Error(`no role may use the route ${name}`);
    router.register(path, [method], () => undefined, { name });
  }
  /** `path` as it was sent, without a query. */
  return (method: string, path: string): Match | 'not_found' | 'method_not_allowed' => {
    const onPath = router.match(path, method).path;
    const found = onPath.find(({ name }) => routes[name ?? '']?.method === method);
    if (found !== undefined)
      return { route: found.name as PanelRouteName, params: found.params(path, found.captures(path)) };
    return onPath.length === 0 ? 'not_found' : 'method_not_allowed';
  };
}
