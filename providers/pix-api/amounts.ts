// Amounts in API Pix: decimal text in BRL ("37.00"). The gateway uses minor units.

/** The largest amount that `\d{1,10}\.\d{2}` can carry. */
export const MAX_WIRE_AMOUNT_MINOR = 999_999_999_999n;

/** Parses `\d{1,10}\.\d{2}`; null for anything else. Never goes through a float. */
export function parseWireAmount(text: string): bigint | null {
  return /^\d{1,10}\.\d{2}$/.test(text) ? BigInt(text.replace('.', '')) : null;
}

/**
 * As `parseWireAmount`, or with one digit behind the point: Banco do Brasil has answered "1.0" for 1.00. It is the same
 * amount, and is never written so.
 */
export function parseLenientAmount(text: string): bigint | null {
  return parseWireAmount(/\.\d$/.test(text) ? `${text}0` : text);
}

/** As `parseWireAmount`, or with a minus before it: an account can be overdrawn. */
export function parseWireBalance(text: string): bigint | null {
  const amountMinor = parseWireAmount(text.replace(/^-/, ''));
  return amountMinor !== null && text.startsWith('-') ? -amountMinor : amountMinor;
}

/** Whether the wire format can carry the amount: positive, at most ten digits before the point. */
export function isWireAmount(amountMinor: bigint): boolean {
  return amountMinor > 0n && amountMinor <= MAX_WIRE_AMOUNT_MINOR;
}

/** Writes minor units as `\d{1,10}\.\d{2}`. Throws a RangeError when it does not fit. */
export function toWireAmount(amountMinor: bigint): string {
  if (amountMinor < 0n || amountMinor > MAX_WIRE_AMOUNT_MINOR)
    throw new RangeError('the amount does not fit the wire format');
  const digits = amountMinor.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
