// The rates of the specification's Limits table, and their text in a refusal. Where the specification gives no burst,
// the burst equals the rate.
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
