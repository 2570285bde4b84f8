// API Pix writes amounts as decimal text of BRL ("37.00"); inside they are minor units.

/** The largest amount that `\d{1,10}\.\d{2}` can carry. */
export const MAX_WIRE_AMOUNT_MINOR = 999_999_999_999n;

/** Parses `\d{1,10}\.\d{2}`; null for anything else. Never goes through a float. */
export function parseWireAmount(text: string): bigint | null {
  return /^\d{1,10}\.\d{2}$/.test(text) ? BigInt(text.replace('.', '')) : null;
}

/** Whether an amount can be sent at all: positive and of at most ten digits before the point. */
export function isWireAmount(amountMinor: bigint): boolean {
  return amountMinor > 0n && amountMinor <= MAX_WIRE_AMOUNT_MINOR;
}

/** Writes minor units as `\d{1,10}\.\d{2}`. Throws a RangeError where that is impossible. */
export function toWireAmount(amountMinor: bigint): string {
  if (amountMinor < 0n || amountMinor > MAX_WIRE_AMOUNT_MINOR)
    throw new RangeError('the amount does not fit the wire format');
  const digits = amountMinor.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
