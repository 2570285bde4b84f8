// GET /healthz, unsigned and outside /v1: ready when every dependency of a request answers. The endpoint is public, so
// only the log names what is missing.
import type { Logger } from 'pino';
import { bounded } from './bounded.js';
import type { Middleware } from './request-context.js';

/** A dependency by name; resolves when it answers, rejects when it does not. */
export type HealthChecks = Readonly<Record<string, () => Promise<unknown>>>;

const TIMEOUT_MS = 1_500;
/** The endpoint is public: the dependencies are checked at most this often. */
const FRESH_MS = 500;

/** Answers `{ready}` with 200 or 503. Logs each change, with the names of the dependencies that are missing. */
export function health(checks: HealthChecks, nowMs: () => number, log: Logger): Middleware {
  let last: { atMs: number; missing: Promise<readonly string[]> } | undefined;
  let reported = '';
  return async (context, next) => {
    if (context.req.url !== '/healthz' || context.method !== 'GET') return next();
    if (last === undefined || nowMs() - last.atMs > FRESH_MS) last = { atMs: nowMs(), missing: missingOf(checks) };
    const missing = await last.missing;
    const ready = missing.length === 0;
    if (missing.join() !== reported) {
      reported = missing.join();
      if (ready) log.info('ready again');
      else log.warn({ missing }, 'not ready');
    }
    context.status = ready ? 200 : 503;
    if (!ready) context.set('Retry-After', '1');
    context.body = { ready };
  };
}

/** The names of the dependencies that do not answer in time. */
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
