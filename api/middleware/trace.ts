// The outermost step: trace id, log line, metrics and span of each request, and the 500 for unexpected errors.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { invalidField, problem } from '../../contract/http/errors.js';
import { isIdOfOurs } from '../../domain/identifiers.js';
import { isTraceId } from '../../domain/trace-context.js';
import { sourceAddressOf, type TrustedProxies } from '../../platform/http/peer-address.js';
import { count, observeSeconds } from '../../platform/telemetry/instruments.js';
import { inSpan, type Span } from '../../platform/telemetry/spans.js';
import { type RequestContext, headerOf, type Middleware, targetOf } from './request-context.js';
import { faultOf } from '../../platform/http/faults.js';
import { COMMON_HEADERS, replyOfProblem, send } from './reply.js';

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
