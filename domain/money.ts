// Money: bigint minor units inside, a decimal string outside.

/** At most 38 digits, as in the specification's `Money.amount`. */
const AMOUNT_PATTERN = /^(0|[1-9][0-9]{0,37})$/;

/** The interface's `Money` object: a non-negative integer of the smallest unit, as a string. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

/** Whether `parseAmountMinor` accepts the text. */
export function isAmount(text: string): boolean {
  return AMOUNT_PATTERN.test(text);
}

/** Parses a `Money.amount`. Throws a RangeError for any other text: callers validate input first. */
export function parseAmountMinor(text: string): bigint {
  if (!isAmount(text)) throw new RangeError('amount is not a non-negative integer of at most 38 digits');
  return BigInt(text);
}

/** The interface's `Money` for an amount of minor units. Throws a RangeError for a negative amount. */
export function toMoney(amountMinor: bigint, currency: string): Money {
  if (amountMinor < 0n) throw new RangeError('Money is unsigned');
  return { amount: amountMinor.toString(), currency };
}

/** An amount in BRL for people, in Temporal summaries and command output: `R$ 1.234,50`. */
export function formatBrl(amountMinor: bigint): string {
  const sign = amountMinor < 0n ? '-' : '';
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.');
  return `${sign}R$ ${whole},${digits.slice(-2)}`;
}
