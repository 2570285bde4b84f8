// The outermost step: a trace id on every response, a log line, the metrics and the span of each request, and the last word on
// unexpected errors.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { invalidField, problem } from '../../contract/http/errors.js';
import { isIdOfOurs } from '../../domain/identifiers.js';
import { isTraceId } from '../../domain/trace-context.js';
import { count, observeSeconds } from '../../platform/telemetry/instruments.js';
import { inSpan, type Span } from '../../platform/telemetry/spans.js';
import { type Exchange, headerOf, type Middleware, targetOf } from './exchange.js';
import { faultOf } from './faults.js';
import { COMMON_HEADERS, replyOfProblem, send } from './reply.js';

/** A new trace id: 32 hex characters. */
export function newTraceId(): string {
  return randomUUID().replaceAll('-', '');
}

export function trace({ log, docsUrl, nowMs }: { log: Logger; docsUrl: string; nowMs: () => number }): Middleware {
  return async (exchange, next) => {
    const traceId = traceIdOf(exchange);
    exchange.state.traceId = traceId;
    exchange.set({ 'Svc-Trace-Id': traceId, ...COMMON_HEADERS });
    const answer = async () => {
      const startedMs = nowMs();
      try {
        if (exchange.req.httpVersion === '1.1' && exchange.req.headersDistinct['host']?.length !== 1) {
          send(exchange, replyOfProblem(invalidField('Host', 'required', 'HTTP/1.1 needs one'), traceId, docsUrl));
        } else await next();
      } catch (error) {
        log.error({ traceId, fault: faultOf(error) }, 'a request failed unexpectedly');
        send(exchange, replyOfProblem(problem('internal_error'), traceId, docsUrl));
      }
      // Only these fields: no address, no header but the key's id once it is proven, no body, no path with a player in it.
      const { route, caller } = exchange.state;
      const durationMs = Math.round(nowMs() - startedMs);
      measure(exchange, durationMs);
      log.info(
        {
          traceId,
          method: exchange.method,
          route: route?.name,
          status: exchange.status,
          durationMs,
          keyId: caller?.keyId,
          operationId: caller?.operation.id,
          objectId: objectIdOf(exchange),
        },
        'request',
      );
    };
    // Health checks and the reference pages are nobody's payment.
    if (!targetOf(exchange).startsWith('/v1')) return answer();
    return inSpan(
      { name: exchange.method, kind: 'server', traceId, attributes: { 'http.request.method': exchange.method } },
      async (span) => {
        await answer();
        if (span.isOpen) describe(span, exchange);
      },
    );
  };
}

/** The caller's own, where it sent one that W3C allows; it then finds its trace and ours under one id. */
function traceIdOf(exchange: Exchange): string {
  const given = headerOf(exchange, 'svc-trace-id');
  return given !== undefined && isTraceId(given) ? given : newTraceId();
}

/** Once it is answered: the route's template and ids that were checked, never the path. */
function describe(span: Span, exchange: Exchange): void {
  const {
    state: { route, caller, refusal },
    method,
    status,
  } = exchange;
  if (route !== undefined) span.rename(`${method} ${route.path}`);
  span.set({
    'http.route': route?.path,
    'http.response.status_code': status,
    'gateway.operation_id': caller?.operation.id,
    'gateway.object_id': objectIdOf(exchange),
    'gateway.refusal': refusal,
  });
  if (status >= 500) span.fail(refusal ?? 'internal_error');
}

/** The payment that a request makes or names by one of our ids; a path can hold anything else. */
function objectIdOf({ state: { route, params, objectId } }: Exchange): string | undefined {
  const id = objectId ?? (route === undefined ? undefined : params['id']);
  return id !== undefined && isIdOfOurs(id) ? id : undefined;
}

function measure({ state: { route, refusal }, status }: Exchange, durationMs: number): void {
  const name = route?.name ?? 'none';
  count('gateway_http_requests_total', { route: name, status: String(status) });
  observeSeconds('gateway_http_request_seconds', { route: name }, durationMs / 1_000);
  if (refusal !== undefined) count('gateway_http_refusals_total', { code: refusal });
}
