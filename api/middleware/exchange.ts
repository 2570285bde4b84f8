// What the steps of the pipeline hand on to one another (`ctx.state`).
import type Koa from 'koa';
import type { ErrorCode, Problem } from '../../contract/http/errors.js';
import type { Caller, RouteDefinition } from '../../contract/http/route.js';
import type { Input } from './input.js';

export interface ExchangeState {
  /** 32 hex characters, in the `Svc-Trace-Id` header of every response. */
  traceId: string;
  /** The raw body; empty when there is none. Set by the body step. */
  body: Buffer;
  /** Set by the verification step. */
  route: RouteDefinition | undefined;
  params: Readonly<Record<string, string>>;
  /** Undefined on public routes. */
  caller: Caller | undefined;
  /** Of a route that reads with its admission. */
  input: Input | Problem | undefined;
  /** What such a route has read. */
  found: readonly object[] | undefined;
  /** The object that a POST makes, once its key is claimed. */
  objectId: string | undefined;
  /** Set with the answer. */
  refusal: ErrorCode | undefined;
}

export type Exchange = Koa.ParameterizedContext<ExchangeState>;
export type Middleware = Koa.Middleware<ExchangeState>;

/** The request target exactly as on the wire: path and query, undecoded. */
export function targetOf(exchange: Exchange): string {
  return exchange.req.url ?? '';
}

/**
 * One header, all its values joined: a header that was sent twice never looks like one that was sent once. Node's own
 * `headers` keeps the first of some, Content-Type among them.
 */
export function headerOf(exchange: Exchange, name: string): string | undefined {
  return exchange.req.headersDistinct[name]?.join(', ');
}
