// Deletes nonces, Idempotency-Keys and counters past their retention, in bounded batches. Any process may run it.
import type { Logger } from 'pino';
import type { Database } from '../store/database.js';
import { sweepRequests } from '../store/requests/idempotency-keys.js';
import { bounded } from '../platform/http/bounded.js';
import { faultOf } from '../platform/http/faults.js';

const INTERVAL_MS = 30_000;
const ROWS_AT_ONCE = 20_000;
const TIMEOUT_MS = 10_000;

export interface Sweeper {
  stop(): void;
}

/** One sweep. Returns the number of deleted rows, 0 also when another process is sweeping. */
export function sweep(database: Database): Promise<number> {
  return bounded(sweepRequests(database, ROWS_AT_ONCE), TIMEOUT_MS, 'Postgres');
}

/** Sweeps every 30 s until stopped. A failed sweep is logged; the next one catches up. */
export function startSweeper(database: Database, log: Logger): Sweeper {
  const timer = setInterval(() => {
    sweep(database).catch((error: unknown) => log.warn({ fault: faultOf(error) }, 'sweeping failed'));
  }, INTERVAL_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
