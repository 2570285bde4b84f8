// Lists by a span of time. The document has no parameter for their pages, so a span with more than a page is read in
// halves.
import type { HttpAnswer } from '../common/http.js';
import { type ReadElements, firstHalfOf, lengthOf, type Span, spanIn, spanText } from '../common/lists.js';
import type { AccountList, ListQuery } from '../port.js';
import { unknown } from '../common/answers.js';
import { reasonOf, type WooviContext } from './context.js';

/** The shortest span, which is not halved any further. */
const SHORTEST_SPAN_MS = 1_000;

/** The content of an answer; `null` if it cannot be read. */
export type ReadSpan<Item> = (answer: HttpAnswer) => (ReadElements<Item> & { readonly hasMore: boolean }) | null;

/** Reads the next part of the span. `filters`: beyond the span. */
export async function listSpan<Item>(
  { client, callTimeoutMs }: WooviContext,
  path: string,
  query: ListQuery,
  read: ReadSpan<Item>,
  filters: Readonly<Record<string, string>> = {},
): Promise<AccountList<Item>> {
  const toMs = Date.parse(query.to);
  const span = query.cursor === null ? { fromMs: Date.parse(query.from), toMs } : spanIn(query.cursor);
  const parameters = new URLSearchParams({ start: isoOf(span.fromMs), end: isoOf(span.toMs), ...filters });
  const answer = await client.call({
    method: 'GET',
    path: `${path}?${parameters.toString()}`,
    timeoutMs: callTimeoutMs,
  });
  if (answer.kind !== 'answered' && answer.reason === 'answer_too_large')
    return halved(span, { items: [], unreadable: 0 });
  const listed = read(answer);
  if (listed === null) return unknown(reasonOf(answer));
  const { hasMore, ...elements } = listed;
  if (hasMore) return halved(span, elements);
  const next = span.toMs < toMs ? spanText({ fromMs: span.toMs, toMs }) : null;
  return { kind: 'page', ...elements, next };
}

/** More than an answer holds: the first half comes next. */
function halved<Item>(span: Span, elements: ReadElements<Item>): AccountList<Item> {
  if (lengthOf(span) <= SHORTEST_SPAN_MS) return unknown('more_than_a_page');
  return { kind: 'page', ...elements, next: spanText(firstHalfOf(span)) };
}

const isoOf = (ms: number) => new Date(ms).toISOString();
