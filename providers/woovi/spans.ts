// Lists by a span of time. The document has no parameter for their pages, so a span with more than a page is read in
// halves.
import type { HttpAnswer } from '../common/http.js';
import type { AccountList, ListQuery } from '../port.js';
import { reasonOf, unknown, type WooviContext } from './context.js';

/** So close together nothing is halved any more. */
const SHORTEST_SPAN_MS = 1_000;

/** What an answer holds; null if it cannot be read. */
export type ReadSpan<Item> = (
  answer: HttpAnswer,
) => { readonly items: readonly Item[]; readonly unreadable: number; readonly hasMore: boolean } | null;

/** Reads the next part of the span. `filters`: beyond the span. */
export async function listSpan<Item>(
  { client, callTimeoutMs }: WooviContext,
  path: string,
  query: ListQuery,
  read: ReadSpan<Item>,
  filters: Readonly<Record<string, string>> = {},
): Promise<AccountList<Item>> {
  const toMs = Date.parse(query.to);
  const span = spanOf(query.cursor) ?? { fromMs: Date.parse(query.from), toMs };
  const parameters = new URLSearchParams({ start: isoOf(span.fromMs), end: isoOf(span.toMs), ...filters });
  const answer = await client.call({
    method: 'GET',
    path: `${path}?${parameters.toString()}`,
    timeoutMs: callTimeoutMs,
  });
  if (answer.kind !== 'answered' && answer.reason === 'answer_too_large') return halved(span, [], 0);
  const listed = read(answer);
  if (listed === null) return unknown(reasonOf(answer));
  const { items, unreadable, hasMore } = listed;
  if (hasMore) return halved(span, items, unreadable);
  return { kind: 'page', items, unreadable, next: span.toMs < toMs ? cursorOf({ fromMs: span.toMs, toMs }) : null };
}

/** More than an answer holds: the first half comes next. */
function halved<Item>({ fromMs, toMs }: Span, items: readonly Item[], unreadable: number): AccountList<Item> {
  const lengthMs = toMs - fromMs;
  if (lengthMs <= SHORTEST_SPAN_MS) return unknown('more_than_a_page');
  const half = { fromMs, toMs: fromMs + Math.floor(lengthMs / 2) };
  return { kind: 'page', items, unreadable, next: cursorOf(half) };
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const isoOf = (ms: number) => new Date(ms).toISOString();
const cursorOf = ({ fromMs, toMs }: Span) => `${fromMs}-${toMs}`;

function spanOf(cursor: string | null): Span | null {
  if (cursor === null) return null;
  const [fromMs, toMs] = cursor.split('-').map(Number);
  return { fromMs: fromMs!, toMs: toMs! };
}
