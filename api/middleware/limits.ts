// The rates of the specification's Limits table, and their text in a refusal; and what keeps a flood of requests that
// fail authentication away from the database. Where the specification gives no burst, the burst equals the rate.
import { type Problem, problem } from '../../contract/http/errors.js';
import { fieldError } from '../../contract/http/validation.js';

export const BODY_LIMIT_BYTES = 64 * 1024;
export const CLOCK_WINDOW_SECONDS = 300;
export const SIGNATURE_FAILURES_PER_MINUTE = 20;

/** A token bucket: `burst` requests at once, then `perSecond`. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
  /** What is counted, as worded in a refusal and in the guide. */
  readonly what: string;
}

const evenly = (perSecond: number, what: string): Rate => ({ perSecond, burst: perSecond, what });

export const RATES = {
  source: evenly(200, 'Requests from one address'),
  /** At most 10,000 + 600 × 150 = 100,000 live nonces per key; a key's reads and writes together need 90,000. */
  nonces: { perSecond: 150, burst: 10_000, what: 'New nonces of one key' },
  keyWrite: { perSecond: 50, burst: 100, what: 'POSTs with one key' },
  operationWrite: { perSecond: 50, burst: 100, what: 'POSTs of one operation' },
  keyRead: evenly(100, 'GETs with one key'),
  operationRead: evenly(200, 'GETs of one operation'),
  keyListing: evenly(5, 'Lists (GET /deposits, /withdrawals and /events) with one key'),
} as const satisfies Record<string, Rate>;

/** A limit in words, without the time until a retry. */
export interface NamedLimit {
  readonly what: string;
  readonly most: string;
}

export const SIGNATURE_FAILURES: NamedLimit = {
  what: 'Wrong signatures from one address',
  most: `${SIGNATURE_FAILURES_PER_MINUTE} in any minute`,
};

/**
 * What an operation's rates let arrive at once. Beyond that, a request is refused without a statement, as check 11
 * would refuse it with one.
 */
export const WAITING_REQUESTS = RATES.operationWrite.burst + RATES.operationRead.burst;
export const WAITING: NamedLimit = {
  what: 'Requests of one operation that wait for the database',
  most: `${WAITING_REQUESTS} in one process`,
};

/** Neither part contains `at most`: the guide prints them as two columns. */
export function namedRate({ perSecond, burst, what }: Rate): NamedLimit {
  const number = (value: number) => value.toLocaleString('en-US');
  const steady = `${number(perSecond)} per second`;
  return { what, most: burst === perSecond ? steady : `${steady}, ${number(burst)} at once` };
}

/** 429 with the limit, its window and the time until a retry. */
export function limitReached({ what, most }: NamedLimit, retryAfterSeconds: number): Problem {
  const detail = `${what}: at most ${most}. Wait ${retryAfterSeconds} s.`;
  return problem('rate_limited', { retryAfterSeconds, detail });
}

/**
 * 429 for a player's hourly limit. `errors` tells it from the limits of a key: it lasts up to an hour, in which the
 * player may give up, so that no program should just wait for it.
 */
export function playerLimitReached(limit: NamedLimit, retryAfterSeconds: number): Problem {
  const reached = limitReached(limit, retryAfterSeconds);
  return {
    ...reached,
    errors: [fieldError('player.external_ref', 'hourly_limit', `${limit.what}: at most ${limit.most}`)],
  };
}

export interface Bucket {
  readonly name: string;
  readonly rate: Rate;
}

/** The buckets of check 11 for a request, in the order they are charged. */
export function bucketsOf(request: {
  write: boolean;
  listing: boolean;
  keyId: string;
  operationId: string;
}): readonly Bucket[] {
  const { write, listing, keyId, operationId } = request;
  if (write) {
    return [
      { name: `write:${keyId}`, rate: RATES.keyWrite },
      { name: `write:${operationId}`, rate: RATES.operationWrite },
    ];
  }
  return [
    { name: `read:${keyId}`, rate: RATES.keyRead },
    { name: `read:${operationId}`, rate: RATES.operationRead },
    ...(listing ? [{ name: `listing:${keyId}`, rate: RATES.keyListing }] : []),
  ];
}

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
class TokenBucket {
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

/** Counts failures only, in this process and in memory; callers within the limits of the specification never reach it. */
export class FailureLimiter {
  readonly #addresses = new Map<string, TokenBucket>();
  readonly #all = new TokenBucket(ALL);
  readonly #strangers = new TokenBucket(STRANGERS);

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
    const bucket = this.#addresses.get(source) ?? new TokenBucket(ONE_ADDRESS);
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
