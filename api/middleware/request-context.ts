// The state that the pipeline's steps share (`ctx.state`), and how they read a request.
import type Koa from 'koa';
import type { ErrorCode, Problem } from '../../contract/http/errors.js';
import type { Caller, RouteDefinition } from '../../contract/http/route.js';
import type { ClaimRow } from '../../store/requests/idempotency-keys.js';
import type { ClaimRequest } from './claim.js';

/** Parsed query and body of a request. */
export interface Input {
  readonly query: unknown;
  readonly body: unknown;
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
