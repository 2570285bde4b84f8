// Money: bigint minor units inside, a decimal string outside, and the only places that turn one into the other
// (docs/decisions/0040).

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

/** The limit of a rule set; `null` without one. */
export function limitMinor(text: string | null | undefined): bigint | null {
  return text == null ? null : parseAmountMinor(text);
}

/** The interface's `Money` for an amount of minor units. Throws a RangeError for a negative amount. */
export function toMoney(amountMinor: bigint, currency: string): Money {
  if (amountMinor < 0n) throw new RangeError('Money is unsigned');
  return { amount: amountMinor.toString(), currency };
}

/** A signed amount, or a sum of many, in a JSON document. Anything else under an amount's name stays as it is. */
const JSON_AMOUNT = /^(0|-?[1-9][0-9]{0,59})$/;

/**
 * The JSON text of a document whose amounts are bigint: they become text, so that no reader rounds them and people
 * read them as they are. `readJson` makes them bigint again (docs/decisions/0040).
 */
export function writeJson(document: unknown): string {
  return JSON.stringify(document, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}

/** The document of a JSON text. Each amount, which is a text under a name that ends in `Minor`, becomes a bigint. */
export function readJson<Document = unknown>(text: string): Document {
  const document = JSON.parse(text) as Document;
  return text.includes('Minor"') ? withAmounts(document) : document;
}

/** Makes each amount of a parsed JSON document a bigint, in place, and returns the document. */
export function withAmounts<Document>(document: Document): Document {
  if (typeof document !== 'object' || document === null || ArrayBuffer.isView(document)) return document;
  const members = document as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (typeof value === 'object') withAmounts(value);
    else if (typeof value === 'string' && name.endsWith('Minor') && JSON_AMOUNT.test(value))
      members[name] = BigInt(value);
  }
  return document;
}

/** The amounts of a JSON document whose names are ids, such as those of fees by payment. */
export function amountsById(texts: Readonly<Record<string, string>>): Record<string, bigint> {
  return Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, BigInt(text)]));
}

/** An amount in BRL for people, in Temporal summaries and command output: `R$ 1.234,50`. */
export function formatBrl(amountMinor: bigint): string {
  const sign = amountMinor < 0n ? '-' : '';
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.');
  return `${sign}R$ ${whole},${digits.slice(-2)}`;
}
