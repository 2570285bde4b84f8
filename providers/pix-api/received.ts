// Received PIX (`GET /pix`), in pages: what arrived on the account, and the payer where a charge does not name it. Some
// banks name it in this list, and the standard lets it be filtered by the payer's document.
import type { TaxDocument } from '../../domain/documents.js';
import { inconclusive } from '../common/http.js';
import type { Receipt, ReceivedList, ReceivedQuery } from '../port.js';
import type { PixApiClient } from './client.js';
import { isListRefused, pageQuery, type Span, textOfReturns } from './list-pages.js';
import type { Paths } from './paths.js';
import { receivedPage, wirePix, type WirePix } from './wire.js';

interface ReceivedContext {
  readonly client: PixApiClient;
  readonly paths: Paths;
  readonly timeoutMs: number;
}

type ReceivedPage =
  | {
      readonly kind: 'page';
      readonly payments: readonly WirePix[];
      /** How many could not be read. */
      readonly unreadable: number;
      readonly hasMore: boolean;
    }
  /** The account may not list, or the bank does not know these filters: asking again changes nothing. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A bank's own clock and roundings. */
const AROUND_MS = 60_000;

/** One page of what was received in a span of time, by the bank's clock. */
async function readReceived(
  { client, paths, timeoutMs }: ReceivedContext,
  span: Span,
  page: number,
  filters: Readonly<Record<string, string>> = {},
): Promise<ReceivedPage> {
  const path = `${paths.received}?${pageQuery(span, page, filters).toString()}`;
  const answer = await client.call({ method: 'GET', path, timeoutMs });
  if (isListRefused(answer)) return { kind: 'refused', reason: `list_${inconclusive(answer)}` };
  if (answer.kind !== 'answered' || answer.status !== 200)
    return { kind: 'unknown', reason: `list_${inconclusive(answer)}` };
  const parsed = receivedPage.safeParse(answer.body);
  if (!parsed.success) return { kind: 'unknown', reason: 'unreadable_list' };
  const { pix, parametros } = parsed.data;
  const read = pix.map((element) => wirePix.safeParse(element));
  const payments = read.flatMap((one) => (one.success ? one.data : []));
  return {
    kind: 'page',
    payments,
    unreadable: read.length - payments.length,
    hasMore: page + 1 < parametros.paginacao.quantidadeDePaginas,
  };
}

/** What arrived, with or without a charge of ours. The standard lists a return with its payment, never by its own time. */
export async function listReceived(
  context: ReceivedContext,
  { part, from, to, cursor }: ReceivedQuery,
): Promise<ReceivedList> {
  const page = Number(cursor ?? 0);
  const span = { from: new Date(from), to: new Date(to) };
  const filters: Record<string, string> = part === 'returns' ? { devolucaoPresente: 'true' } : {};
  const read = await readReceived(context, span, page, filters);
  if (read.kind !== 'page') return read;
  const { payments, unreadable, hasMore } = read;
  return { kind: 'page', items: payments.map(receiptOf), unreadable, next: hasMore ? String(page + 1) : null };
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

/** A payer as the standard writes one. */
export type ToldPayer = NonNullable<WirePix['pagador']>;

export type PayerAnswer =
  { readonly kind: 'payer'; readonly payer: ToldPayer | null } | { readonly kind: 'unknown'; readonly reason: string };

const NOBODY_TOLD: PayerAnswer = { kind: 'payer', payer: null };

/**
 * Who paid: named in the list, or the expected one if the list filtered by that document has the payment. A bank that
 * does not filter would confirm anybody, so a stranger is asked about too.
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
    const page = await readReceived({ ...context, timeoutMs }, around(payment.horario), 0, { txid, ...filters });
    return page.kind === 'page' ? (page.payments.find(isIt) ?? null) : page;
  };
  const isIt = ({ endToEndId }: WirePix) => endToEndId === payment.endToEndId;
  const plain = await ask({});
  if (plain !== null && 'kind' in plain) return plain.kind === 'refused' ? NOBODY_TOLD : plain;
  const told = plain?.gnExtras?.pagador ?? plain?.pagador ?? null;
  if (told !== null) return { kind: 'payer', payer: told };
  // Without it in the list, its absence from a filtered one says nothing.
  if (plain === null || expected === null) return NOBODY_TOLD;
  for (const [document, mustBeThere] of [
    [expected, true],
    [strangerTo(expected), false],
  ] as const) {
    const filtered = await ask(filterOf(document));
    if (filtered !== null && 'kind' in filtered) return filtered.kind === 'refused' ? NOBODY_TOLD : filtered;
    if ((filtered !== null) !== mustBeThere) return NOBODY_TOLD;
  }
  return { kind: 'payer', payer: filterOf(expected) };
}

function around(instant: string): Span {
  const at = Date.parse(instant);
  return { from: new Date(at - AROUND_MS), to: new Date(at + AROUND_MS) };
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
