// Finds the route of a request in the table. A route without roles does not start the panel.
import { PANEL_API, type PanelRoute } from '../contract/panel/route.js';
import { PANEL_ROUTES, type PanelRouteName } from '../contract/panel/routes.js';

export interface Match {
  readonly route: PanelRouteName;
  readonly params: Readonly<Record<string, string>>;
}

interface Pattern {
  readonly name: PanelRouteName;
  readonly method: string;
  readonly path: RegExp;
}

/** Throws if a route names no role. */
export function createMatcher(routes: Readonly<Record<string, PanelRoute>> = PANEL_ROUTES) {
  const patterns = Object.entries(routes).map(([name, { method, path, who }]): Pattern => {
    if (typeof who !== 'string' && who.length === 0) throw new Error(`the route ${name} says of nobody that they may`);
    return { name: name as PanelRouteName, method, path: patternOf(path) };
  });
  return (method: string, path: string): Match | 'not_found' | 'method_not_allowed' => {
    const known = patterns.flatMap((pattern) => {
      const found = pattern.path.exec(path);
      return found === null ? [] : [{ pattern, params: { ...found.groups } }];
    });
    const match = known.find(({ pattern }) => pattern.method === method);
    if (match !== undefined) return { route: match.pattern.name, params: match.params };
    return known.length === 0 ? 'not_found' : 'method_not_allowed';
  };
}

/** Ids have plain characters only: nothing is decoded. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${PANEL_API}${path.replace(/:([a-z]+)/g, '(?<$1>[A-Za-z0-9_-]{1,100})')}$`);
}
