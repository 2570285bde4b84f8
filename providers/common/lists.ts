// Lists of a provider: read element by element, and over spans of time that are split where the whole is not accepted.
import { createHash } from 'node:crypto';

export interface ReadElements<Item> {
  readonly items: readonly Item[];
  /** How many could not be read. */
  readonly unreadable: number;
  /** A name for each of those; absent without any. */
  readonly unread?: readonly string[];
}

/** `read`: the items in an element, or `null` if it cannot be read. */
export function readEach<Item>(
  elements: readonly unknown[],
  read: (element: unknown) => readonly Item[] | null,
): ReadElements<Item> {
  const items: Item[] = [];
  const unread: string[] = [];
  for (const element of elements) {
    const found = read(element);
    if (found === null) unread.push(nameOf(element));
    else items.push(...found);
  }
  return { items, unreadable: unread.length, ...(unread.length === 0 ? {} : { unread }) };
}

/** The end-to-end id, if it has one, else a digest: the rest of it may be personal data. */
function nameOf(element: unknown): string {
  const { endToEndId, endToEndID } = (element ?? {}) as Record<string, unknown>;
  const id = [endToEndId, endToEndID].find((text) => typeof text === 'string' && /^[A-Za-z0-9]{20,35}$/.test(text));
  return typeof id === 'string' ? id : createHash('sha256').update(JSON.stringify(element)).digest('hex').slice(0, 32);
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export function lengthOf({ fromMs, toMs }: Span): number {
  return toMs - fromMs;
}

export function firstHalfOf(span: Span): Span {
  return { fromMs: span.fromMs, toMs: span.fromMs + Math.floor(lengthOf(span) / 2) };
}

/** A span as a part of a list's cursor. */
export function spanText({ fromMs, toMs }: Span): string {
  return `${fromMs}-${toMs}`;
}

/** Reads what `spanText` wrote. */
export function spanIn(text: string): Span {
  const [fromMs, toMs] = text.split('-').map(Number);
  return { fromMs: fromMs!, toMs: toMs! };
}
