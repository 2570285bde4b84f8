// A response as a value: what is sent and what is recorded for an Idempotency-Key; and in the sandbox, as a later
// version of this interface may give it.
import { type ErrorCode, ERRORS, type Problem } from '../../contract/http/errors.js';
import type { RouteDefinition, RouteResponse } from '../../contract/http/route.js';
import { type RequestContext, headerOf, type Middleware } from './request.js';

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  /** The route's headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The code of a fresh refusal; a replayed one counts as a replay. */
  readonly refusal?: ErrorCode;
}

/** On every response: no caching, no content sniffing. */
export const COMMON_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json';
const DEFAULT_RETRY_SECONDS: Readonly<Record<number, number>> = { 429: 1, 503: 2 };

/** A refusal as problem+json (specification, "Problem"). Every 429 and 503 has `Retry-After`. */
export function replyOfProblem(problem: Problem, traceId: string, docsUrl: string): Reply {
  const { code, errors, existing } = problem;
  const { status: usualStatus, retryable, detail: usualDetail } = ERRORS[code];
  const detail = problem.detail ?? usualDetail;
  const status = problem.status ?? usualStatus;
  const retryAfterSeconds = problem.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS[status];
  const body = {
    type: `${docsUrl}/errors/${code}`,
    title: code,
    status,
    code,
    detail,
    trace_id: traceId,
    retryable,
    errors,
    existing,
  };
  return {
    status,
    contentType: PROBLEM_TYPE,
    headers: {
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) }),
      ...(problem.allow === undefined ? {} : { Allow: problem.allow.join(', ') }),
    },
    body: Buffer.from(JSON.stringify(body), 'utf8'),
    refusal: code,
  };
}

/** A handler's response. Strings and buffers are sent unchanged, with the content type that the route declares. */
export function replyOfResponse(route: RouteDefinition, { status, body, headers = {} }: RouteResponse): Reply {
  return { status, contentType: route.success[status]?.contentType ?? JSON_TYPE, headers, body: bytesOf(body) };
}

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8');
}

/** Writes a reply to the response. */
export function send(context: RequestContext, reply: Reply): void {
  context.status = reply.status;
  context.state.refusal = reply.refusal;
  context.set(reply.headers);
  context.body = reply.body;
  context.set('Content-Type', reply.contentType);
}

const HEADER = 'sandbox-later-version';
/** What may have new values at any time (docs/versions.md). */
const OPEN_VALUES = ['status', 'type', 'kind', 'method', 'rail', 'reason', 'code', 'failure_code'];
/** What an operator sent comes back as it was. */
const OPERATORS_OWN = ['document', 'metadata', 'player_context'];
const WORD = /^[A-Za-z][A-Za-z0-9_.]*$/;

/**
 * Rewrites JSON answers to requests with `Sandbox-Later-Version: true`, outside production: with values and fields that
 * today's programs do not know (docs/versions.md). An integration's test sees what its program does then. An extension:
 * nothing is stored so, and a repeat without the header gets the answer itself.
 */
export function laterVersion(environment: 'sandbox' | 'production'): Middleware {
  return async (context, next) => {
    await next();
    if (environment === 'production' || headerOf(context, HEADER) !== 'true') return;
    const type = context.response.get('content-type');
    if (!/^application\/(problem\+)?json/.test(type) || !Buffer.isBuffer(context.body)) return;
    context.body = Buffer.from(JSON.stringify(asLater(JSON.parse(context.body.toString('utf8')))), 'utf8');
    context.set('Content-Type', type);
  };
}

function asLater(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asLater);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, memberAsLater(name, member)]);
  const later = Object.fromEntries(members) as Record<string, unknown>;
  return { ...later, ...nameOfProblem(later), field_of_a_later_version: { any: ['value', null, 1] } };
}

/** A problem's title equals its code, and its type ends in it. */
function nameOfProblem({ title, code, type }: Record<string, unknown>): object {
  if (typeof title !== 'string' || typeof code !== 'string' || typeof type !== 'string') return {};
  return { title: code, type: type.replace(/[^/]+$/, code) };
}

function memberAsLater(name: string, member: unknown): unknown {
  if (OPERATORS_OWN.includes(name)) return member;
  // One method more; what is known of the others stays true.
  if (name === 'methods' && Array.isArray(member)) return [...(member as unknown[]), 'method_of_a_later_version'];
  if (name === 'method_details') return member;
  if (name === 'reasons' && Array.isArray(member)) return [...(member as unknown[]), 'REASON_OF_A_LATER_VERSION'];
  const isOpen = OPEN_VALUES.includes(name) && typeof member === 'string' && WORD.test(member);
  return isOpen ? `${name}_of_a_later_version` : asLater(member);
}
