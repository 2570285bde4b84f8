// GET /healthz, unsigned and outside /v1: ready when everything that requests need answers. What is missing is said in the
// log only: anybody may ask.
import type { Logger } from 'pino';
import { bounded } from './bounded.js';
import type { Middleware } from './exchange.js';

/** A dependency by name; resolves when it answers, rejects when it does not. */
export type HealthChecks = Readonly<Record<string, () => Promise<unknown>>>;

const TIMEOUT_MS = 1_500;
/** Anybody may ask: the dependencies are asked at most this often. */
const FRESH_MS = 500;

/** Answers `{ready}` with 200 or 503, nothing more; logs each change with the names of the dependencies that are missing. */
export function health(checks: HealthChecks, nowMs: () => number, log: Logger): Middleware {
  let last: { atMs: number; missing: Promise<readonly string[]> } | undefined;
  let reported = '';
  return async (exchange, next) => {
    if (exchange.req.url !== '/healthz' || exchange.method !== 'GET') return next();
    if (last === undefined || nowMs() - last.atMs > FRESH_MS) last = { atMs: nowMs(), missing: missingOf(checks) };
    const missing = await last.missing;
    const ready = missing.length === 0;
    if (missing.join() !== reported) {
      reported = missing.join();
      if (ready) log.info('ready again');
      else log.warn({ missing }, 'not ready');
    }
    exchange.status = ready ? 200 : 503;
    if (!ready) exchange.set('Retry-After', '1');
    exchange.body = { ready };
  };
}

/** The names of those that do not answer; each is asked for a bounded time. */
export async function missingOf(checks: HealthChecks): Promise<readonly string[]> {
  const answers = await Promise.all(
    Object.entries(checks).map(([name, ask]) =>
      bounded(ask(), TIMEOUT_MS, name).then(
        () => undefined,
        () => name,
      ),
    ),
  );
  return answers.filter((name) => name !== undefined);
}
