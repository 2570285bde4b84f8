// Received PIX (`GET /pix`), in pages: what arrived on the account, and the payer where a charge does not name it. Some
// banks name it in this list, and the standard lets it be filtered by the payer's document.
import type { TaxDocument } from '../../domain/documents.js';
import type { ReportedPayer } from '../common/payer.js';
import type { Span } from '../common/spans.js';
import type { Receipt, ReceivedList, ReceivedQuery, Unknown } from '../port.js';
import { type ListContext, type ListForm, listPages, readPage, textOfReturns } from './list-pages.js';
import type { NoteFields } from './known-fields.js';
import type { Paths } from './paths.js';
import { receivedPage, wirePix, type WirePix } from './wire.js';

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
