// The outermost step: trace id, log line, metrics and span of each request, and the 500 for unexpected errors.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { PANEL_API } from '../../contract/panel/route.js';
import { isIdOfOurs } from '../../domain/identifiers.js';
import { faultOf } from '../../platform/http/faults.js';
import { sourceAddressOf, type TrustedProxies } from '../../platform/http/request.js';
import { count, observeSeconds } from '../../platform/telemetry/instruments.js';
import { inSpan } from '../../platform/telemetry/spans.js';
import { withOrigin } from '../../store/audit/origin.js';
import { refuse } from '../refusal.js';
import type { Middleware, RequestContext } from '../request.js';
import { answerRefusal } from './answer.js';

/** @param edge undefined: the client's address is the connection's */
export function trace(log: Logger, edge: TrustedProxies | undefined): Middleware {
  return async (context, next) => {
    const traceId = randomUUID().replaceAll('-', '');
    context.state.traceId = traceId;
    const address = sourceAddressOf(context.req, edge);
    context.state.address = address;
    context.set('Svc-Trace-Id', traceId);
    const startedMs = performance.now();
    const answer = async () => {
      try {
        await withOrigin(address, next);
      } catch (error) {
        log.error({ traceId, fault: faultOf(error) }, 'a request failed unexpectedly');
        answerRefusal(context, refuse('internal'));
      }
    };
    // No span, metric or line for the page's files and health checks.
    if (!context.path.startsWith(PANEL_API)) return answer();
    await inSpan(
      { name: context.method, kind: 'server', traceId, attributes: { 'http.request.method': context.method } },
      async (span) => {
        await answer();
        const { route, refused } = context.state;
        if (!span.isOpen) return;
        span.set({ 'http.route': route, 'http.response.status_code': context.status, 'gateway.refusal': refused });
        if (context.status >= 500) span.fail(refused ?? 'internal');
      },
    );
    measure(context, log, Math.round(performance.now() - startedMs));
  };
}

/** Only these fields: no body, no raw path (it can hold a search). The address is of the gateway's own staff. */
function measure({ state, status, method }: RequestContext, log: Logger, durationMs: number): void {
  const { traceId, address, route = 'none', params, session, refused } = state;
  count('gateway_http_requests_total', { route, status: String(status) });
  observeSeconds('gateway_http_request_seconds', { route }, durationMs / 1_000);
  if (refused !== undefined) count('gateway_http_refusals_total', { code: refused });
  const id = (params as Readonly<Record<string, string>> | undefined)?.['id'];
  const objectId = id !== undefined && isIdOfOurs(id) ? id : undefined;
  const person = session?.handle;
  log.info({ traceId, method, route, status, durationMs, address, person, objectId, refused }, 'request');
}
