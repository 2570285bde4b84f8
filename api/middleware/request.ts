// A request as the pipeline's steps share it (`ctx.state`): how they read it, and its route.
import type Koa from 'koa';
import type { ErrorCode, Problem } from '../../contract/http/errors.js';
import type { Caller, RouteDefinition } from '../../contract/http/route.js';
import type { ClaimRow, KeyClaim } from '../../store/requests/idempotency-keys.js';

/** Parsed query and body of a request. */
export interface Input {
  readonly query: unknown;
  readonly body: unknown;
}

/** A player's limit of creations of one kind in a sliding hour. Counts once per object id; refusals do not count. */
export interface PlayerLimit {
  /** Operation, kind and player. The external_ref is opaque, never personal data. */
  readonly bucket: string;
  readonly limit: number;
  /** What is counted, as worded in a refusal. */
  readonly what: string;
  /** Refusals that count like an object. */
  readonly countedRefusals: readonly ErrorCode[];
}

export interface ClaimRequest extends KeyClaim {
  readonly playerLimit: PlayerLimit | undefined;
}

export interface RequestState {
  /** 32 hex characters; sent as `Svc-Trace-Id` with every response. */
  traceId: string;
  /** The raw body, empty when there is none. Set by receiveBody. */
  body: Buffer;
  /** Set by verify, with the fields below. */
  route: RouteDefinition | undefined;
  params: Readonly<Record<string, string>>;
  /** Whether the key's secret signed the request, whatever else is wrong with it. Set by verify. */
  isSigned: boolean | undefined;
  /** `undefined` on public routes. */
  caller: Caller | undefined;
  /** Set by verify where something runs in the authentication query that needs it. */
  input: Input | Problem | undefined;
  /** The rows of that read. */
  found: readonly object[] | undefined;
  /** The outcome of the claim of a POST's Idempotency-Key. */
  claim: { readonly request: ClaimRequest; readonly row: ClaimRow } | undefined;
  /** The object that a POST creates, once its Idempotency-Key is claimed. */
  objectId: string | undefined;
  /** Set with the answer. */
  refusal: ErrorCode | undefined;
}

export type RequestContext = Koa.ParameterizedContext<RequestState>;
export type Middleware = Koa.Middleware<RequestState>;

/** The request target exactly as on the wire: path and query, undecoded. */
export function targetOf(context: RequestContext): string {
  return context.req.url ?? '';
}

/**
 * A header with all its values joined, so that a repeated header never passes for a single one. Node's `headers` keeps
 * only the first value of some, such as Content-Type.
 */
export function headerOf(context: RequestContext, name: string): string | undefined {
  return context.req.headersDistinct[name]?.join(', ');
}

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

/**
 * A matcher for the table, byte by byte: no case folding, no decoding, no slash added or dropped. The signature covers
 * the same raw target, so a target can never reach another route. `sandboxOnly` routes do not exist in production.
 * Literal segments win over parameters.
 */
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
