// A response as a value: what is sent and what is recorded for an Idempotency-Key.
import { type ErrorCode, ERRORS, type Problem } from '../../contract/http/errors.js';
import type { RouteDefinition, RouteResponse } from '../../contract/http/route.js';
import type { RequestContext } from './request-context.js';

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
