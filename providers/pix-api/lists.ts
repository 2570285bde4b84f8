// Reads what only the list of charges (`GET /cob`) contains, for the moments around one charge's creation.
import { inconclusive } from '../common/http.js';
import type { PixApiClient } from './client.js';
import { isListRefused, pageQuery } from './list-pages.js';
import type { Paths } from './paths.js';
import { chargeList, receivedList, type WireCharge, type WirePix } from './wire.js';

interface ListContext {
  readonly client: PixApiClient;
  readonly paths: Paths;
  readonly timeoutMs: number;
}

export type ListedPayments =
  | { readonly kind: 'listed'; readonly payments: readonly WirePix[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Clocks and roundings of a bank's own times. */
const WINDOW_MS = 1_000;
/** The charges of two seconds fill few pages; more pages mean that the filter was ignored. */
const MAX_PAGES = 20;

/** The payments on a charge as the list reports them; none if it does not have the charge. */
export async function listedPayments(context: ListContext, charge: WireCharge): Promise<ListedPayments> {
  const deadlineMs = performance.now() + context.timeoutMs;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const timeoutMs = Math.max(0, Math.floor(deadlineMs - performance.now()));
    const answer = await context.client.call({ method: 'GET', path: pathOf(context, charge, page), timeoutMs });
    if (isListRefused(answer)) return { kind: 'listed', payments: [] };
    if (answer.kind !== 'answered' || answer.status !== 200)
      return { kind: 'unknown', reason: `list_${inconclusive(answer)}` };
    const parsed = chargeList.safeParse(answer.body);
    if (!parsed.success) return { kind: 'unknown', reason: 'unreadable_list' };
    const { cobs, parametros } = parsed.data;
    const found = cobs.find(({ txid }) => txid === charge.txid);
    if (found !== undefined) {
      const payments = receivedList.safeParse(found.pix ?? []);
      return payments.success
        ? { kind: 'listed', payments: payments.data }
        : { kind: 'unknown', reason: 'unreadable_list' };
    }
    if (page + 1 >= parametros.paginacao.quantidadeDePaginas) break;
  }
  return { kind: 'listed', payments: [] };
}

function pathOf({ paths }: ListContext, { calendario: { criacao } }: WireCharge, page: number): string {
  const at = Date.parse(criacao);
  const query = pageQuery({ fromMs: at - WINDOW_MS, toMs: at + WINDOW_MS }, page);
  return `${paths.charges}?${query.toString()}`;
}
