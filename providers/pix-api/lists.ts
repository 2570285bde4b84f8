// Facts that only the list of charges (`GET /cob`) has. It is requested for the time around one charge's creation.
import { inconclusive } from '../common/http.js';
import { unknown, unreadable } from '../common/unknown.js';
import type { Unknown } from '../port.js';
import type { PixApiClient } from './client.js';
import { isListRefused, pageQuery } from './list-pages.js';
import type { Paths } from './paths.js';
import { chargeList, type WireCharge, type WirePix, wirePix } from './wire.js';

interface ListContext {
  readonly client: PixApiClient;
  readonly paths: Paths;
  readonly timeoutMs: number;
}

export type ListedPayments = { readonly kind: 'listed'; readonly payments: readonly WirePix[] } | Unknown;

/** Clocks and roundings of a bank's own times. */
const WINDOW_MS = 1_000;
/** Charges of two seconds fill few pages; a longer list is not the answer to our request. */
const MAX_PAGES = 20;

/** The payments on a charge according to the list; none if it does not contain the charge. */
export async function listedPayments(context: ListContext, charge: WireCharge): Promise<ListedPayments> {
  const deadlineMs = performance.now() + context.timeoutMs;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const timeoutMs = Math.max(0, Math.floor(deadlineMs - performance.now()));
    const answer = await context.client.call({ method: 'GET', path: pathOf(context, charge, page), timeoutMs });
    if (isListRefused(answer)) return { kind: 'listed', payments: [] };
    if (answer.kind !== 'answered' || answer.status !== 200) return unknown(`list_${inconclusive(answer)}`);
    const parsed = chargeList.safeParse(answer.body);
    if (!parsed.success) return unreadable(parsed.error, 'list', 'unreadable_list');
    const { cobs, parametros } = parsed.data;
    const found = cobs.find(({ txid }) => txid === charge.txid);
    if (found !== undefined) {
      return { kind: 'listed', payments: readablePayments(found.pix) };
    }
    if (page + 1 >= parametros.paginacao.quantidadeDePaginas) break;
  }
  return { kind: 'listed', payments: [] };
}

/** Only payers are read of them: without one the payer stays unknown, and the payment is seen all the same. */
function readablePayments(listed: unknown): readonly WirePix[] {
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((element: unknown) => {
    const read = wirePix.safeParse(element);
    return read.success ? [read.data] : [];
  });
}

function pathOf({ paths }: ListContext, { calendario: { criacao } }: WireCharge, page: number): string {
  const at = Date.parse(criacao);
  const query = pageQuery({ fromMs: at - WINDOW_MS, toMs: at + WINDOW_MS }, page);
  return `${paths.charges}?${query.toString()}`;
}
