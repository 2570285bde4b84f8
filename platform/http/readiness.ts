// Whether a process can serve: every dependency of a request answers. Health checks are public, so only the log names
// what is missing.
import type { Logger } from 'pino';
import { bounded } from './bounded.js';

/** A dependency by name; resolves when it answers, rejects when it does not. */
export type HealthChecks = Readonly<Record<string, () => Promise<unknown>>>;

const TIMEOUT_MS = 1_500;
/** The dependencies are checked at most this often, for all callers together. */
const FRESH_MS = 500;

/** Asks the dependencies, or remembers. Logs each change, with the names of the dependencies that are missing. */
export function readiness(checks: HealthChecks, nowMs: () => number, log: Logger): () => Promise<boolean> {
  let last: { atMs: number; missing: Promise<readonly string[]> } | undefined;
  let reported = '';
  return async () => {
    if (last === undefined || nowMs() - last.atMs > FRESH_MS) last = { atMs: nowMs(), missing: missingOf(checks) };
    const missing = await last.missing;
    if (missing.join() !== reported) {
      reported = missing.join();
      if (missing.length === 0) log.info('ready again');
      else log.warn({ missing }, 'not ready');
    }
    return missing.length === 0;
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
