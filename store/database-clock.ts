// The time by PostgreSQL's clock, which all processes share: a worker whose own clock is wrong stores no wrong time.
import type { Database } from './database.js';

/** Between two readings the process's monotonic clock counts, which nobody sets. It drifts by milliseconds an hour. */
const FRESH_MS = 600_000;
/** A reading may be off by half of its round trip. A slower one is not used. */
const ROUND_TRIP_LIMIT_MS = 5_000;

interface Reading {
  readonly databaseMs: number;
  /** By the process's monotonic clock. */
  readonly readAtMs: number;
}

/** Reads the clock when a time is wanted: once, and again in the background when the last reading is old. */
export class DatabaseClock {
  #reading: Reading | null = null;
  #underWay: Promise<Reading> | null = null;

  /** `monotonicMs`: milliseconds since any fixed moment. */
  constructor(
    private readonly database: Pick<Database, '$queryRaw'>,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** Milliseconds since 1970. Rejects while there is no reading and the database does not answer. */
  readonly nowMs = (): number | Promise<number> => {
    const reading = this.#reading;
    if (reading === null) return this.#read().then((first) => this.#since(first));
    // Without an answer the old reading stays, and the next call tries again.
    if (this.monotonicMs() - reading.readAtMs > FRESH_MS) this.#read().catch(() => undefined);
    return this.#since(reading);
  };

  /** By how much the process's own clock is ahead. `null` before the first reading. */
  aheadMs(ownMs: number = Date.now()): number | null {
    return this.#reading === null ? null : ownMs - this.#since(this.#reading);
  }

  #since({ databaseMs, readAtMs }: Reading): number {
    return Math.round(databaseMs + this.monotonicMs() - readAtMs);
  }

  #read(): Promise<Reading> {
    return (this.#underWay ??= this.#readOnce().finally(() => (this.#underWay = null)));
  }

  async #readOnce(): Promise<Reading> {
    const askedAtMs = this.monotonicMs();
    const [row] = await this.database.$queryRaw<{ ms: number }[]>`
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
    const answeredAtMs = this.monotonicMs();
    if (row === undefined) throw new Error('PostgreSQL did not tell its time');
    if (answeredAtMs - askedAtMs > ROUND_TRIP_LIMIT_MS) throw new Error('PostgreSQL took too long to tell its time');
    return (this.#reading = { databaseMs: row.ms, readAtMs: (askedAtMs + answeredAtMs) / 2 });
  }
}
