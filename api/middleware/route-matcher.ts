// Matches a raw request target to its route, byte by byte: no case folding, no decoding, no slash added or dropped. The
// signature covers the same raw target, so a target can never reach another route.
import type { RouteDefinition } from '../../contract/http/route.js';

const API_PREFIX = '/v1';

/** Allowed path parameters. Some clients encode the colon of an `external_ref` as `%3A`. */
const PARAMETER = /^(?:[A-Za-z0-9_.:-]|%3[Aa]){1,200}$/;

export type RouteMatch =
  | { readonly kind: 'route'; readonly route: RouteDefinition; readonly params: Readonly<Record<string, string>> }
  /** The path exists, but only with these methods. */
  | { readonly kind: 'unmapped_method'; readonly methods: readonly string[] }
  | { readonly kind: 'unknown_path'; readonly prefix: 'once' | 'missing' | 'twice' };

export type RouteMatcher = (method: string, target: string) => RouteMatch;

interface Pattern {
  readonly route: RouteDefinition;
  readonly segments: readonly string[];
}

/** A matcher for the table. `sandboxOnly` routes do not exist in production. Literal segments win over parameters. */
export function createRouteMatcher(
  routes: readonly RouteDefinition[],
  environment: 'sandbox' | 'production',
): RouteMatcher {
  const patterns = routes
    .filter((route) => environment === 'sandbox' || route.sandboxOnly !== true)
    .map((route): Pattern => ({ route, segments: `${API_PREFIX}${route.path}`.split('/') }))
    .sort((a, b) => parameterCount(a) - parameterCount(b));
  return (method, target) => {
    const segments = (target.split('?', 1)[0] ?? '').split('/');
    const onPath = patterns.flatMap((pattern) => {
      const params = matchSegments(pattern.segments, segments);
      return params === undefined ? [] : [{ route: pattern.route, params }];
    });
    const match = onPath.find(({ route }) => route.method === method);
    if (match !== undefined) return { kind: 'route', ...match };
    if (onPath.length > 0)
      return { kind: 'unmapped_method', methods: [...new Set(onPath.map(({ route }) => route.method))].sort() };
    return { kind: 'unknown_path', prefix: prefixOf(target) };
  };
}

function prefixOf(target: string): 'once' | 'missing' | 'twice' {
  if (!target.startsWith(`${API_PREFIX}/`)) return 'missing';
  return target.startsWith(`${API_PREFIX}${API_PREFIX}/`) ? 'twice' : 'once';
}

const parameterCount = ({ segments }: Pattern) => segments.filter((segment) => segment.startsWith(':')).length;

function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index]!;
    if (expected.startsWith(':')) {
      if (!PARAMETER.test(actual)) return undefined;
      params[expected.slice(1)] = actual.replaceAll(/%3[Aa]/g, ':');
    } else if (expected !== actual) return undefined;
  }
  return params;
}
