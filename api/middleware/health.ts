// GET /healthz, unsigned and outside /v1: ready when every dependency of a request answers.
import type { Logger } from 'pino';
import { type HealthChecks, readiness } from '../../platform/http/readiness.js';
import type { Middleware } from './request-context.js';

/** Answers `{ready}` with 200 or 503. */
export function health(checks: HealthChecks, nowMs: () => number, log: Logger): Middleware {
  const isReady = readiness(checks, nowMs, log);
  return async (context, next) => {
    if (context.req.url !== '/healthz' || context.method !== 'GET') return next();
    const ready = await isReady();
    context.status = ready ? 200 : 503;
    if (!ready) context.set('Retry-After', '1');
    context.body = { ready };
  };
}
