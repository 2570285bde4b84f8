// Received PIX (`GET /pix`), in pages: what arrived on the account, and the payer where a charge does not name it. Some
// banks name it in this list, and the standard lets it be filtered by the payer's document; others only in the list of
// charges (`GET /cob`), which is requested for the time around one charge's creation.
import type { TaxDocument } from '../../domain/documents.js';
import type { ReportedPayer } from '../common/payer.js';
import type { Span } from '../common/lists.js';
import type { Receipt, ReceivedList, ReceivedQuery, Unknown } from '../port.js';
import {
  type ListContext,
  type ListForm,
  listPages,
  readPage,
  textOfReturns,
  isListRefused,
  pageQuery,
} from './list-pages.js';
import type { NoteFields, Paths } from './dialect.js';
import { receivedPage, wirePix, type WirePix, chargeList, type WireCharge } from './wire.js';
import { inconclusive } from '../common/http.js';
import { unknown, unreadable } from '../common/answers.js';
import type { PixApiClient } from './client.js';

interface ReceivedContext extends ListContext {
  readonly paths: Paths;
  readonly noteFields: NoteFields;
}

/** A bank's own clock and roundings. */
const AROUND_MS = 60_000;

function receivedForm<Item>(
  { paths, noteFields }: ReceivedContext,
  filters: Readonly<Record<string, string>>,
  itemOf: (payment: WirePix) => Item,
): ListForm<Item> {
  return {
    path: paths.received,
    filters,
    page: receivedPage,
    read: (element) => {
      noteFields('payment', element);
      const read = wirePix.safeParse(element);
      return read.success ? [itemOf(read.data)] : null;
    },
  };
}

/**
 * Received PIX, with or without a charge of the gateway. The standard lists a return with its payment, never by its own
 * time.
 */
export function listReceived(context: ReceivedContext, { part, ...query }: ReceivedQuery): Promise<ReceivedList> {
  const filters: Record<string, string> = part === 'returns' ? { devolucaoPresente: 'true' } : {};
  return listPages(context, receivedForm(context, filters, receiptOf), query);
}

function receiptOf({ endToEndId, txid, valor, horario, devolucoes }: WirePix): Receipt {
  return {
    endToEndId,
    reference: txid ?? null,
    amountMinor: valor,
    receivedAt: horario,
    returns: textOfReturns(devolucoes),
  };
}

export type PayerAnswer = { readonly kind: 'payer'; readonly payer: ReportedPayer | null } | Unknown;

const NO_PAYER: PayerAnswer = { kind: 'payer', payer: null };

/**
 * Who paid: named in the list, or the expected one if the list filtered by that document has the payment. A bank that
 * does not filter would confirm every payer, so it is also asked about a made-up one.
 */
export async function payerOfReceived(
  context: ReceivedContext,
  txid: string,
  payment: Pick<WirePix, 'endToEndId' | 'horario'>,
  expected: TaxDocument | null,
): Promise<PayerAnswer> {
  const deadlineMs = performance.now() + context.timeoutMs;
  const ask = async (filters: Readonly<Record<string, string>>) => {
    const timeoutMs = Math.max(0, Math.floor(deadlineMs - performance.now()));
    const form = receivedForm(context, { txid, ...filters }, (received) => received);
    const page = await readPage({ ...context, timeoutMs }, form, around(payment.horario), 0);
    return page.kind === 'page' ? (page.items.find(isIt) ?? null) : page;
  };
  const isIt = ({ endToEndId }: WirePix) => endToEndId === payment.endToEndId;
  const plain = await ask({});
  if (plain !== null && 'kind' in plain) return plain.kind === 'refused' ? NO_PAYER : plain;
  const payer = plain?.gnExtras?.pagador ?? plain?.pagador ?? null;
  if (payer !== null && payer.document !== null) return { kind: 'payer', payer };
  // If the payment is not in the list at all, its absence from a filtered list proves nothing.
  if (plain === null || expected === null) return NO_PAYER;
  for (const [document, mustBeThere] of [
    [expected, true],
    [strangerTo(expected), false],
  ] as const) {
    const filtered = await ask(filterOf(document));
    if (filtered !== null && 'kind' in filtered) return filtered.kind === 'refused' ? NO_PAYER : filtered;
    if ((filtered !== null) !== mustBeThere) return NO_PAYER;
  }
  const document = { type: expected.type === 'CPF' ? 'CPF' : 'CNPJ', number: expected.number } as const;
  return { kind: 'payer', payer: { document, name: payer?.name ?? null } };
}

function around(instant: string): Span {
  const at = Date.parse(instant);
  return { fromMs: at - AROUND_MS, toMs: at + AROUND_MS };
}

type Filter = { readonly cpf: string } | { readonly cnpj: string };

function filterOf({ type, number }: Pick<TaxDocument, 'type' | 'number'>): Filter {
  return type === 'CPF' ? { cpf: number } : { cnpj: number };
}

/** Numbers that every manual shows. */
const STRANGERS = { CPF: ['12345678909', '98765432100'], CNPJ: ['11222333000181', '11444777000161'] } as const;

function strangerTo({ type, number }: TaxDocument): Pick<TaxDocument, 'type' | 'number'> {
  const kind = type === 'CPF' ? 'CPF' : 'CNPJ';
  const [one, other] = STRANGERS[kind];
  return { type: kind, number: number === one ? other : one };
}

interface ChargeListContext {
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
export async function listedPayments(context: ChargeListContext, charge: WireCharge): Promise<ListedPayments> {
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

function pathOf({ paths }: ChargeListContext, { calendario: { criacao } }: WireCharge, page: number): string {
  const at = Date.parse(criacao);
  const query = pageQuery({ fromMs: at - WINDOW_MS, toMs: at + WINDOW_MS }, page);
  return `${paths.charges}?${query.toString()}`;
}
