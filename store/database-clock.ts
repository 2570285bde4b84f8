// The time on which all processes agree: the machine's clock while it agrees with PostgreSQL's, and PostgreSQL's where
// it does not. A worker whose own clock is wrong, or is set while it works, stores no wrong time.
import type { Database } from './database.js';

const FRESH_MS = 600_000;
/** A reading is off by at most half of its round trip. A slower one is not used. */
const ROUND_TRIP_LIMIT_MS = 5_000;
/** A smaller difference is left alone: machines that synchronise their clocks agree better than a reading can show. */
const TOLERATED_MS = 1_000;

interface Reading {
  /** By the process's monotonic clock, which nobody sets and which drifts by milliseconds an hour. */
  readonly readAtMs: number;
  readonly databaseMs: number;
  /** What the machine's clock showed. */
  readonly ownMs: number;
  /** By how much the machine's clock was ahead. */
  readonly aheadMs: number;
  readonly agrees: boolean;
}

export interface Clocks {
  /** Milliseconds since 1970, by the machine's clock. */
  readonly ownMs: () => number;
  /** Milliseconds since any fixed moment. */
  readonly monotonicMs: () => number;
}

const CLOCKS: Clocks = { ownMs: () => Date.now(), monotonicMs: () => performance.now() };

/**
 * Compares the clocks when a time is wanted: once, again in the background when the last comparison is old, and at once
 * when the machine's clock was set.
 */
export class DatabaseClock {
  #reading: Reading | null = null;
  #underWay: Promise<Reading> | null = null;

  constructor(
    private readonly database: Pick<Database, '$queryRaw'>,
    private readonly clocks: Clocks = CLOCKS,
  ) {}

  /** Milliseconds since 1970. Rejects while the clocks were never compared and the database does not answer. */
  readonly nowMs = (): number | Promise<number> => {
    const reading = this.#reading;
    if (reading === null) return this.#read().then((first) => this.#since(first));
    // Without an answer the old reading stays, and the next call tries again.
    if (this.#wasSet(reading))
      return this.#read().then(
        (newer) => this.#since(newer),
        () => this.#counted(reading),
      );
    if (this.clocks.monotonicMs() - reading.readAtMs > FRESH_MS) this.#read().catch(() => undefined);
    return this.#since(reading);
  };

  /** By how much the machine's clock was ahead at the last comparison. `null` before the first. */
  get aheadMs(): number | null {
    return this.#reading?.aheadMs ?? null;
  }

  #since(reading: Reading): number {
    return reading.agrees ? this.clocks.ownMs() : this.#counted(reading);
  }

  #counted({ databaseMs, readAtMs }: Reading): number {
    return Math.round(databaseMs + this.clocks.monotonicMs() - readAtMs);
  }

  /** Whether the machine's clock, which is in use, has moved otherwise than time has passed. */
  #wasSet({ agrees, ownMs, readAtMs }: Reading): boolean {
    const passedMs = this.clocks.monotonicMs() - readAtMs;
    return agrees && Math.abs(this.clocks.ownMs() - ownMs - passedMs) > TOLERATED_MS;
  }

  #read(): Promise<Reading> {
    return (this.#underWay ??= this.#readOnce().finally(() => (this.#underWay = null)));
  }

  async #readOnce(): Promise<Reading> {
    const { ownMs, monotonicMs } = this.clocks;
    const askedAtMs = monotonicMs();
    const [row] = await this.database.$queryRaw<{ ms: number }[]>`
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
    const roundTripMs = monotonicMs() - askedAtMs;
    if (row === undefined) throw new Error('PostgreSQL did not tell its time');
    if (roundTripMs > ROUND_TRIP_LIMIT_MS) throw new Error('PostgreSQL took too long to tell its time');
    const ownAtReadMs = ownMs() - roundTripMs / 2;
    const aheadMs = ownAtReadMs - row.ms;
    const agrees = Math.abs(aheadMs) <= roundTripMs / 2 + TOLERATED_MS;
    const readAtMs = askedAtMs + roundTripMs / 2;
    return (this.#reading = { readAtMs, databaseMs: row.ms, ownMs: ownAtReadMs, aheadMs, agrees });
  }
}
