// Keeps a flood of requests that fail authentication away from the database. Only failures are counted, in this process
// and in memory; callers within the limits of the specification never reach this one.
import { RATES } from './limits.js';

/**
 * The limit of one address: its failures alone may use the rate that check 2 allows for all its requests, with a larger
 * burst. A caller above it is also above check 2, which would cost a statement in PostgreSQL.
 */
const ONE_ADDRESS = { perSecond: RATES.source.perSecond, burst: 2 * RATES.source.burst } as const;
/** All addresses: what a process can refuse by statements in addition to its work. Operators' mistakes are a few per second. */
const ALL = { perSecond: 500, burst: 1_000 } as const;
/** Beyond that, how many unknown callers are still looked up, so that a new one is served eventually. */
const STRANGERS = { perSecond: 50, burst: 50 } as const;
const ADDRESSES_MAX = 10_000;

interface LocalRate {
  readonly perSecond: number;
  readonly burst: number;
}

/** A token bucket in memory (generic cell rate algorithm). */
class Bucket {
  #fullAtMs = 0;

  constructor(private readonly rate: LocalRate) {}

  /** Whether a token is available. */
  has(nowMs: number): boolean {
    const { perSecond, burst } = this.rate;
    const leftMs = this.#fullAtMs - nowMs;
    // A clock that was set back makes it look spent for long; then it is not.
    return leftMs <= ((burst - 1) * 1_000) / perSecond || leftMs > (2 * burst * 1_000) / perSecond;
  }

  take(nowMs: number): void {
    const { perSecond, burst } = this.rate;
    // Bounded, however many requests were under way at once.
    const latest = nowMs + (burst * 1_000) / perSecond;
    this.#fullAtMs = Math.min(Math.max(this.#fullAtMs, nowMs) + 1_000 / perSecond, latest);
  }

  isFull(nowMs: number): boolean {
    return this.#fullAtMs <= nowMs;
  }
}

export class FailureLimiter {
  readonly #addresses = new Map<string, Bucket>();
  readonly #all = new Bucket(ALL);
  readonly #strangers = new Bucket(STRANGERS);

  constructor(private readonly nowMs: () => number) {}

  /** Whether this address alone fails so often that its requests are refused unread. */
  isSpent(source: string): boolean {
    return this.#addresses.get(source)?.has(this.nowMs()) === false;
  }

  /** Whether so many requests fail in total that only known callers pass as usual. */
  isFlooded(): boolean {
    return !this.#all.has(this.nowMs());
  }

  /**
   * In a flood, for an unknown caller: whether it must wait. The answer is the same for a key that exists and one
   * that does not.
   */
  mustStrangerWait(): boolean {
    const nowMs = this.nowMs();
    if (!this.#strangers.has(nowMs)) return true;
    this.#strangers.take(nowMs);
    return false;
  }

  /** A request of this address failed authentication, and PostgreSQL was asked. */
  count(source: string): void {
    const nowMs = this.nowMs();
    this.#all.take(nowMs);
    const bucket = this.#addresses.get(source) ?? new Bucket(ONE_ADDRESS);
    bucket.take(nowMs);
    // The address that failed longest ago comes first, and is forgotten first.
    this.#addresses.delete(source);
    this.#addresses.set(source, bucket);
    for (const [oldest, its] of this.#addresses) {
      if (this.#addresses.size <= ADDRESSES_MAX && !its.isFull(nowMs)) break;
      this.#addresses.delete(oldest);
    }
  }
}
