// The standard's lists: their requests, page by page and span by span, and their final refusals; and two lists that
// only dialects have: disputed payments (MED), and payouts that left the account.
import type { z } from 'zod';
import { type HttpAnswer, inconclusive } from '../common/http.js';
import { readEach, type ReadElements, firstHalfOf, lengthOf, type Span, spanIn, spanText } from '../common/lists.js';
import { unknown } from '../common/answers.js';
import type { AccountList, ListQuery, Unknown, DisputeList, PayoutList, SentQuery } from '../port.js';
import type { PixApiClient } from './client.js';
import type { Dialect, PayoutDialect } from './dialect.js';
import type { ListedPayout } from '../../domain/listed-payouts.js';

/** The standard lets a page have a thousand. So many, with what belongs to each, stay within an answer's size. */
export const PAGE_SIZE = 100;
/** A bank that takes no longer span takes a day. */
const SHORTEST_SPAN_MS = 86_400_000;

/** `filters`: beyond the span. */
export function pageQuery(
  { fromMs, toMs }: Span,
  page: number,
  filters: Readonly<Record<string, string>> = {},
): URLSearchParams {
  return new URLSearchParams({
    inicio: new Date(fromMs).toISOString(),
    fim: new Date(toMs).toISOString(),
    ...filters,
    'paginacao.paginaAtual': String(page),
    'paginacao.itensPorPagina': String(PAGE_SIZE),
  });
}

/** Returns with their states, as one text that changes whenever they do; empty without any. */
export function textOfReturns(returns: readonly { readonly id: string; readonly status: string }[]): string {
  return returns
    .map(({ id, status }) => `${id} ${status}`)
    .sort()
    .join(', ');
}

/** The account may not list, or the bank does not support these filters: a retry cannot help. */
export function isListRefused(answer: HttpAnswer): boolean {
  return answer.kind === 'answered' && [400, 403, 404, 405, 422].includes(answer.status);
}

/** Banks limit how long a span may be, each with its own error. */
function mayBeTooLong(answer: HttpAnswer): boolean {
  return answer.kind === 'answered' && [400, 422].includes(answer.status);
}

export interface ListContext {
  readonly client: PixApiClient;
  readonly timeoutMs: number;
}

/** A list of one kind of things. */
export interface ListForm<Item> {
  readonly path: string;
  readonly filters?: Readonly<Record<string, string>>;
  readonly page: z.ZodType<{ readonly elements: readonly unknown[]; readonly hasMore: (page: number) => boolean }>;
  /** The items in an element, or `null` if it cannot be read. */
  readonly read: (element: unknown) => readonly Item[] | null;
}

export type ListPage<Item> =
  | ({ readonly kind: 'page'; readonly hasMore: boolean } & ReadElements<Item>)
  /** `mayBeTooLong`: a shorter span may be listed. */
  | { readonly kind: 'refused'; readonly reason: string; readonly mayBeTooLong: boolean }
  | Unknown;

/** One page of a span of time, by the bank's clock. */
export async function readPage<Item>(
  { client, timeoutMs }: ListContext,
  form: ListForm<Item>,
  span: Span,
  page: number,
): Promise<ListPage<Item>> {
  const path = `${form.path}?${pageQuery(span, page, form.filters).toString()}`;
  const answer = await client.call({ method: 'GET', path, timeoutMs });
  const reason = `list_${inconclusive(answer)}`;
  if (isListRefused(answer)) return { kind: 'refused', reason, mayBeTooLong: mayBeTooLong(answer) };
  if (answer.kind !== 'answered' || answer.status !== 200) return unknown(reason);
  const parsed = form.page.safeParse(answer.body);
  if (!parsed.success) return unknown('unreadable_list');
  const { elements, hasMore } = parsed.data;
  return { kind: 'page', ...readEach(elements, form.read), hasMore: hasMore(page) };
}

/**
 * The next page of a list. A span that is refused is halved until the bank takes it, down to a day; the rest follows in
 * spans of that length.
 */
export async function listPages<Item>(
  context: ListContext,
  form: ListForm<Item>,
  query: ListQuery,
): Promise<AccountList<Item>> {
  const whole = { fromMs: Date.parse(query.from), toMs: Date.parse(query.to) };
  const { page, span } = placeOf(query.cursor, whole);
  const read = await readPage(context, form, span, page);
  if (read.kind === 'unknown') return read;
  if (read.kind === 'refused') {
    if (!read.mayBeTooLong || lengthOf(span) <= SHORTEST_SPAN_MS) return { kind: 'refused', reason: read.reason };
    return { kind: 'page', items: [], unreadable: 0, next: cursorOf(0, firstHalfOf(span), whole) };
  }
  const { hasMore, ...rest } = read;
  return { ...rest, next: hasMore ? cursorOf(page + 1, span, whole) : cursorBehind(span, whole) };
}

function cursorBehind(span: Span, whole: Span): string | null {
  if (span.toMs >= whole.toMs) return null;
  return cursorOf(0, { fromMs: span.toMs, toMs: Math.min(whole.toMs, span.toMs + lengthOf(span)) }, whole);
}

/** The page, and the span if it is not the whole one. */
function cursorOf(page: number, span: Span, { fromMs, toMs }: Span): string {
  return span.fromMs === fromMs && span.toMs === toMs ? String(page) : `${page}/${spanText(span)}`;
}

function placeOf(cursor: string | null, whole: Span): { readonly page: number; readonly span: Span } {
  const [page = '0', span] = (cursor ?? '0').split('/');
  return { page: Number(page), span: span === undefined ? whole : spanIn(span) };
}

interface DisputeContext extends ListContext {
  readonly dialect: Dialect;
}

/** One page of the cases that were opened in a span of time. */
export async function listDisputes(context: DisputeContext, query: ListQuery): Promise<DisputeList> {
  const { disputes } = context.dialect;
  if (disputes === null) return { kind: 'refused', reason: 'disputes_are_not_listed' };
  const form = {
    path: disputes.path,
    page: disputes.page.transform(({ cases, pages }) => ({
      elements: cases,
      hasMore: (page: number) => page + 1 < pages,
    })),
    read: (element: unknown) => {
      const read = disputes.read.safeParse(element);
      return read.success ? [read.data] : null;
    },
  };
  return listPages(context, form, query);
}

/** One page of what was sent in a span of time. No list can be filtered by "has a return". */
export async function listPayouts(
  context: ListContext,
  list: PayoutDialect['list'],
  { part, ...query }: SentQuery,
): Promise<PayoutList> {
  if (list === null) return { kind: 'refused', reason: 'payouts_are_not_listed' };
  const isAsked = ({ returns }: ListedPayout) => part === 'payouts' || returns !== '';
  const form = {
    path: list.path,
    page: list.page.transform(({ payouts, hasMore }) => ({ elements: payouts, hasMore })),
    read: (element: unknown) => {
      const read = list.read.safeParse(element);
      if (!read.success) return null;
      return read.data === null || !isAsked(read.data) ? [] : [read.data];
    },
  };
  return listPages(context, form, query);
}
