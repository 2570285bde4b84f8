// GET /healthz, unsigned and outside /v1: ready when everything that requests need answers.
import { bounded } from './bounded.js';
import type { Middleware } from './exchange.js';

/** A dependency by name; resolves when it answers, rejects when it does not. */
export type HealthChecks = Readonly<Record<string, () => Promise<unknown>>>;

const TIMEOUT_MS = 1_500;
/** Anybody may ask: the dependencies are asked at most this often. */
const FRESH_MS = 500;

export interface Health {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, 'ok' | 'unavailable'>>;
}

/** Answers 200 or 503 with the state of each dependency by name, nothing more. */
export function health(checks: HealthChecks, nowMs: () => number): Middleware {
  let last: { atMs: number; result: Promise<Health> } | undefined;
  return async (exchange, next) => {
    if (exchange.req.url !== '/healthz' || exchange.method !== 'GET') return next();
    if (last === undefined || nowMs() - last.atMs > FRESH_MS) last = { atMs: nowMs(), result: checkAll(checks) };
    const result = await last.result;
    exchange.status = result.ready ? 200 : 503;
    if (!result.ready) exchange.set('Retry-After', '1');
    exchange.body = result;
  };
}

async function checkAll(checks: HealthChecks): Promise<Health> {
  const states = await Promise.all(
    Object.entries(checks).map(async ([name, ask]) => {
      const answered = await bounded(ask(), TIMEOUT_MS, name).then(() => true, () => false);
      return [name, answered ? 'ok' : 'unavailable'] as const;
    }),
  );
  return { ready: states.every(([, state]) => state === 'ok'), checks: Object.fromEntries(states) };
}
