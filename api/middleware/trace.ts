// The outermost step: a trace id on every response, a log line and the metrics of each request, and the last word on
// unexpected errors.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { invalidField, problem } from '../../contract/http/errors.js';
import { count, observeSeconds } from '../../telemetry/instruments.js';
import type { Exchange, Middleware } from './exchange.js';
import { faultOf } from './faults.js';
import { replyOfProblem, send } from './reply.js';

/** A new trace id: 32 hex characters. */
export function newTraceId(): string {
  return randomUUID().replaceAll('-', '');
}

export function trace({ log, docsUrl, nowMs }: { log: Logger; docsUrl: string; nowMs: () => number }): Middleware {
  return async (exchange, next) => {
    const startedMs = nowMs();
    const traceId = newTraceId();
    exchange.state.traceId = traceId;
    exchange.set({ 'Svc-Trace-Id': traceId, 'Cache-Control': 'no-store' });
    try {
      if (exchange.req.httpVersion === '1.1' && exchange.req.headers.host === undefined) {
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
    log.info({ traceId, method: exchange.method, route: route?.name, status: exchange.status, durationMs, keyId: caller?.keyId, operationId: caller?.operation.id }, 'request');
  };
}

function measure({ state: { route, refusal }, status }: Exchange, durationMs: number): void {
  const name = route?.name ?? 'none';
  count('gateway_http_requests_total', { route: name, status: String(status) });
  observeSeconds('gateway_http_request_seconds', { route: name }, durationMs / 1_000);
  if (refusal !== undefined) count('gateway_http_refusals_total', { code: refusal });
}
