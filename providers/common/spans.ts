// Splits a span of time for lists that do not accept the whole span at once.

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
