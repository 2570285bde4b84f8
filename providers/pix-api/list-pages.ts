// The standard's lists: what they are asked with, page by page, and what refuses them for good.
import type { HttpAnswer } from '../common/http.js';

export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** The standard lets a page have a thousand. So many, with what belongs to each, stay within an answer's size. */
export const PAGE_SIZE = 100;

/** `filters`: beyond the span. */
export function pageQuery(
  { from, to }: Span,
  page: number,
  filters: Readonly<Record<string, string>> = {},
): URLSearchParams {
  return new URLSearchParams({
    inicio: from.toISOString(),
    fim: to.toISOString(),
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

/** The account may not list, or the bank does not know these filters: asking again changes nothing. */
export function isListRefused(answer: HttpAnswer): boolean {
  return answer.kind === 'answered' && [400, 403, 404, 405, 422].includes(answer.status);
}
