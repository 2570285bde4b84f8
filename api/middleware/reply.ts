// A response as a value: what is sent, and what an Idempotency-Key records.
import { type ErrorCode, ERRORS, type Problem } from '../../contract/http/errors.js';
import type { RouteDefinition, RouteResponse } from '../../contract/http/route.js';
import type { Exchange } from './exchange.js';

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  /** The route's own headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Of a refusal that was made now; a replayed one is counted as a replay. */
  readonly refusal?: ErrorCode;
}

/** On every answer: kept by no cache, and taken by no browser for anything but what its content type says. */
export const COMMON_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json';
const DEFAULT_RETRY_SECONDS: Readonly<Record<number, number>> = { 429: 1, 503: 2 };

/** problem+json of an expected refusal (specification, "Problem"); `Retry-After` on every 429 and 503 and where one is named. */
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
    headers:
      retryAfterSeconds === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
    body: Buffer.from(JSON.stringify(body), 'utf8'),
    refusal: code,
  };
}

/** A handler's answer; a text or bytes go out as they are, with the content type that the route declares. */
export function replyOfResponse(route: RouteDefinition, { status, body, headers = {} }: RouteResponse): Reply {
  return { status, contentType: route.success[status]?.contentType ?? JSON_TYPE, headers, body: bytesOf(body) };
}

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8');
}

/** Puts a reply on the exchange. */
export function send(exchange: Exchange, reply: Reply): void {
  exchange.status = reply.status;
  exchange.state.refusal = reply.refusal;
  exchange.set(reply.headers);
  exchange.body = reply.body;
  exchange.set('Content-Type', reply.contentType);
}
