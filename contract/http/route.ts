// The definition of a route, and the error codes that it can return: its own, and those of the checks before its
// handler. The table in routes.ts feeds the router, the scope check, the OpenAPI document and the tests.
import type { z } from 'zod';
import type { OperationClock } from '../../domain/operation-clock.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { ErrorCode, Problem } from './errors.js';

export const SCOPES = ['read', 'deposits:write', 'withdrawals:write', 'rules:propose'] as const;
export type Scope = (typeof SCOPES)[number];

export interface RouteDefinition {
  /** The OpenAPI operation id, and the key of its handler. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Below `/v1`, parameters as `:id`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** `public`: unsigned. `any_key`: any valid credential. Otherwise one of these scopes is enough. */
  readonly access: 'public' | 'any_key' | readonly Scope[];
  /** Counts against the listing bucket (5 per second and key). */
  readonly listing?: true;
  /** Registered outside production only. */
  readonly sandboxOnly?: true;
  /** Creates an object whose id is reserved together with the Idempotency-Key. */
  readonly creates?: 'deposit' | 'withdrawal' | 'ruleChange';
  /** Patterns of the path parameters. A value that does not match is answered with 404. */
  readonly params?: Readonly<Record<string, RegExp>>;
  readonly query?: z.ZodObject;
  /** `none`: no body, or an empty one. */
  readonly body?: z.ZodType | 'none';
  /** The body may be absent altogether. */
  readonly bodyOptional?: true;
  readonly success: Readonly<
    Record<
      number,
      { description: string; schema?: z.ZodType; contentType?: string; headers?: Readonly<Record<string, string>> }
    >
  >;
  /** The codes in addition to those that every signed route can return. */
  readonly errors: readonly ErrorCode[];
}

/** The caller, as the credential identifies it. */
export interface Caller {
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  readonly operation: CallerOperation;
}

export interface CallerOperation {
  readonly id: string;
  readonly name: string;
  readonly environment: 'sandbox' | 'production';
  readonly provider: AccountName;
  /** In the sandbox, where its time is not real time. */
  readonly clock?: OperationClock | undefined;
}

/** The input of a handler: authenticated, parsed and typed. */
export interface RouteRequest<Body = unknown, Query = unknown> {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The reserved id of the object to create; only on routes with `creates`. */
  readonly objectId: string | undefined;
  /** Rows that the route needs and that the authentication query has already read. */
  readonly found?: readonly object[] | undefined;
  readonly traceId: string;
}

export interface RouteResponse {
  readonly status: number;
  /** Serialised as JSON once. A string is sent unchanged, with the route's content type. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type RouteHandler<Body = unknown, Query = unknown> = (
  request: RouteRequest<Body, Query>,
) => Promise<RouteResponse | Problem>;

/** The codes that every signed route can return (specification, "Server verification order"). */
const SIGNED_CODES: readonly ErrorCode[] = [
  'invalid_signature',
  'timestamp_out_of_window',
  'replayed_nonce',
  'unknown_key',
  'ip_not_allowed',
  'insufficient_scope',
  'operation_suspended',
  'rate_limited',
  'internal_error',
  'service_unavailable',
];
const POST_CODES: readonly ErrorCode[] = ['validation_failed', 'idempotency_key_reused', 'idempotency_in_progress'];
const PUBLIC_CODES: readonly ErrorCode[] = ['rate_limited', 'internal_error', 'service_unavailable'];

/** Every error code that a route can return. */
export function codesOf(route: RouteDefinition): readonly ErrorCode[] {
  const common =
    route.access === 'public' ? PUBLIC_CODES : [...SIGNED_CODES, ...(route.method === 'POST' ? POST_CODES : [])];
  return [...new Set([...route.errors, ...(route.params === undefined ? [] : ['not_found' as const]), ...common])];
}
