// The rates of the specification's Limits table. Where it names no burst, the burst equals the rate.

export const BODY_LIMIT_BYTES = 64 * 1024;
export const CLOCK_WINDOW_SECONDS = 300;
export const SIGNATURE_FAILURES_PER_MINUTE = 20;

/** A token bucket: `burst` requests at once, then `perSecond`. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

const evenly = (perSecond: number): Rate => ({ perSecond, burst: perSecond });

export const RATES = {
  source: evenly(200),
  /** At most 10,000 + 600 × 150 = 100,000 live nonces of a key; its own reads and writes together need 90,000. */
  nonces: { perSecond: 150, burst: 10_000 },
  keyWrite: { perSecond: 50, burst: 100 },
  operationWrite: { perSecond: 50, burst: 100 },
  keyRead: evenly(100),
  operationRead: evenly(200),
  keyListing: evenly(5),
} as const satisfies Record<string, Rate>;

export interface Bucket {
  readonly name: string;
  readonly rate: Rate;
}

/** The buckets of check 11 for a request, in the order in which they are taken. */
export function bucketsOf(request: { write: boolean; listing: boolean; keyId: string; operationId: string }): readonly Bucket[] {
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
