// The outermost steps: trace id, log line, metrics and span of each request, the 500 for unexpected errors, and the log
// of the operations' own calls for their programmers.
import { randomUUID, createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { invalidField, problem } from '../../contract/http/errors.js';
import { isIdOfOurs } from '../../domain/identifiers.js';
import { isTraceId } from '../../domain/trace-context.js';
import { sourceAddressOf, type TrustedProxies } from '../../platform/http/request.js';
import { count, observeSeconds } from '../../platform/telemetry/instruments.js';
import { inSpan, type Span } from '../../platform/telemetry/spans.js';
import {
  type RequestContext,
  headerOf,
  type Middleware,
  targetOf,
  type RouteMatch,
  type RouteMatcher,
} from './request.js';
import { faultOf } from '../../platform/http/faults.js';
import { COMMON_HEADERS, replyOfProblem, send } from './reply.js';
import type { BatchedLog } from '../../platform/telemetry/batched-log.js';
import type { LoggedCall } from '../../store/requests/request-log.js';
import { nonceFault } from './credentials.js';
import { canonicalRequest } from './signature.js';

/** A new trace id: 32 hex characters. */
export function newTraceId(): string {
  return randomUUID().replaceAll('-', '');
}

export interface TraceOptions {
  readonly log: Logger;
  readonly docsUrl: string;
  readonly nowMs: () => number;
  /** Undefined: the client's address is the connection's. */
  readonly edge: TrustedProxies | undefined;
}

export function trace({ log, docsUrl, nowMs, edge }: TraceOptions): Middleware {
  return async (context, next) => {
    const traceId = traceIdOf(context);
    context.state.traceId = traceId;
    context.set({ 'Svc-Trace-Id': traceId, ...COMMON_HEADERS });
    const answer = async () => {
      const startedMs = nowMs();
      try {
        if (context.req.httpVersion === '1.1' && context.req.headersDistinct['host']?.length !== 1) {
          send(context, replyOfProblem(invalidField('Host', 'required', 'HTTP/1.1 needs one'), traceId, docsUrl));
        } else await next();
      } catch (error) {
        log.error({ traceId, fault: faultOf(error) }, 'a request failed unexpectedly');
        send(context, replyOfProblem(problem('internal_error'), traceId, docsUrl));
      }
      // Only these fields: no body, no raw path (it can name a player), and the key id only once verified. The address
      // is that of an operator's server, which keeps an account of who asked (PCI DSS 10.2.2).
      const { route, caller, refusal } = context.state;
      const durationMs = Math.round(nowMs() - startedMs);
      measure(context, durationMs);
      log.info(
        {
          traceId,
          method: context.method,
          route: route?.name,
          status: context.status,
          durationMs,
          address: sourceAddressOf(context.req, edge),
          refused: refusal,
          keyId: caller?.keyId,
          operationId: caller?.operation.id,
          objectId: objectIdOf(context),
        },
        'request',
      );
    };
    // No span for health checks and the reference pages.
    if (!targetOf(context).startsWith('/v1')) return answer();
    return inSpan(
      { name: context.method, kind: 'server', traceId, attributes: { 'http.request.method': context.method } },
      async (span) => {
        await answer();
        if (span.isOpen) describe(span, context);
      },
    );
  };
}

/** The caller's trace id when W3C Trace Context allows it, so that both sides share one id; otherwise a new one. */
function traceIdOf(context: RequestContext): string {
  const given = headerOf(context, 'svc-trace-id');
  return given !== undefined && isTraceId(given) ? given : newTraceId();
}

/** Attributes of an answered request: the route's template and validated ids, never the path. */
function describe(span: Span, context: RequestContext): void {
  const {
    state: { route, caller, refusal },
    method,
    status,
  } = context;
  if (route !== undefined) span.rename(`${method} ${route.path}`);
  span.set({
    'http.route': route?.path,
    'http.response.status_code': status,
    'gateway.operation_id': caller?.operation.id,
    'gateway.object_id': objectIdOf(context),
    'gateway.refusal': refusal,
  });
  if (status >= 500) span.fail(refusal ?? 'internal_error');
}

/** The payment that a request creates or names. Anything but a well-formed id of ours is left out. */
function objectIdOf({ state: { route, params, objectId } }: RequestContext): string | undefined {
  const id = objectId ?? (route === undefined ? undefined : params['id']);
  return id !== undefined && isIdOfOurs(id) ? id : undefined;
}

function measure({ state: { route, refusal }, status }: RequestContext, durationMs: number): void {
  const name = route?.name ?? 'none';
  count('gateway_http_requests_total', { route: name, status: String(status) });
  observeSeconds('gateway_http_request_seconds', { route: name }, durationMs / 1_000);
  if (refusal !== undefined) count('gateway_http_refusals_total', { code: refusal });
}

const KEY_ID = /^key_(?:test|live)_[A-Za-z0-9]{1,64}$/;
const TIMESTAMP = /^[0-9]{1,15}$/;
/** Where the sender chose the field's name, which could be anything. */
const NAMED_BY_SENDER = new Set(['unknown_field', 'duplicate_key']);

export interface CallLogOptions {
  readonly calls: Pick<BatchedLog<LoggedCall>, 'add'>;
  readonly nowMs: () => number;
  readonly edge: TrustedProxies | undefined;
  readonly match: RouteMatcher;
}

/**
 * What an operation's call signed, and why it was refused. Written beside the requests, so that no payment waits for
 * it; what comes too fast is left out. Outside of `trace`, which gives every request its id and its answer.
 */
export function logCalls({ calls, nowMs, edge, match }: CallLogOptions): Middleware {
  return async (context, next) => {
    const receivedMs = nowMs();
    await next();
    const keyId = headerOf(context, 'svc-key-id');
    // Whoever only knows the key's id must not fill the log.
    const isFlood = context.status === 429 && context.state.isSigned !== true;
    if (keyId === undefined || !KEY_ID.test(keyId) || isFlood || !targetOf(context).startsWith('/v1/')) return;
    const call = { keyId, receivedMs, durationMs: nowMs() - receivedMs, address: sourceAddressOf(context.req, edge) };
    // A call that is refused early names its route, too.
    calls.add(callOf(context, match(context.method, targetOf(context)), call));
  };
}

interface Call {
  readonly keyId: string;
  readonly receivedMs: number;
  readonly durationMs: number;
  readonly address: string;
}

function callOf(
  context: RequestContext,
  match: RouteMatch,
  { keyId, receivedMs, durationMs, address }: Call,
): LoggedCall {
  const { objectId, traceId, isSigned = false, body = Buffer.alloc(0) } = context.state;
  const { route = null, params = {} } = match.kind === 'route' ? match : {};
  const timestamp = headerOf(context, 'svc-timestamp');
  const nonce = headerOf(context, 'svc-nonce');
  const signedTimestamp = timestamp !== undefined && TIMESTAMP.test(timestamp) ? timestamp : null;
  const signedNonce = nonce !== undefined && nonceFault(nonce) === undefined ? nonce : null;
  const id = objectId ?? params['id'];
  const { method } = context;
  return {
    keyId,
    traceId,
    receivedAt: new Date(receivedMs).toISOString(),
    isSigned,
    method: /^[A-Z]{1,10}$/.test(method) ? method : 'OTHER',
    route: route === null ? null : `/v1${route.path.replaceAll(/:([a-z_]+)/g, '{$1}')}`,
    objectId: id !== undefined && isIdOfOurs(id) ? id : null,
    status: context.status,
    ...refusalOf(context),
    isReplayed: context.response.get('Idempotent-Replayed') === 'true',
    durationMs: Math.round(durationMs),
    address,
    signedTimestamp,
    signedNonce,
    bodySha256: sha256(body),
    canonicalSha256:
      signedTimestamp === null || signedNonce === null
        ? null
        : sha256(
            canonicalRequest({
              timestamp: signedTimestamp,
              nonce: signedNonce,
              method,
              target: targetOf(context),
              body,
            }),
          ),
  };
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Why it was refused, as the answer says it: also a recorded one. Our own words, and names of our fields, only. */
function refusalOf(context: RequestContext): Pick<LoggedCall, 'code' | 'detail' | 'errors'> {
  const { status, body } = context;
  if (status < 400 || !Buffer.isBuffer(body)) return { code: null, detail: null, errors: [] };
  const { code, detail, errors } = JSON.parse(body.toString('utf8')) as {
    readonly code: string;
    readonly detail?: string;
    readonly errors?: readonly { readonly field: string; readonly reason: string }[];
  };
  const named = (errors ?? []).map(({ field, reason }) => ({
    field: NAMED_BY_SENDER.has(reason) || field.startsWith('metadata.') ? null : field,
    reason,
  }));
  return { code, detail: detail ?? null, errors: named };
}
