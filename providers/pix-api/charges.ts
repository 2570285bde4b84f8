// Deposits at a provider: charges (cob), the payments received on them, and returns (devolução).
import { buildDynamicBrCode } from '../../domain/br-code.js';
import type { TaxDocument } from '../../domain/documents.js';
import { isSamePixKey } from '../../domain/pix.js';
import type {
  Charge,
  ChargeLookup,
  ChargeOutcome,
  ChargeRequest,
  ReceivedPix,
  Reversal,
  ReversalOutcome,
  Unknown,
} from '../port.js';
import {
  isWireAmount,
  toWireAmount,
  allDiffer,
  wireCharge,
  wireReversal,
  type WireCharge,
  type WirePix,
  type WireReversal,
} from './wire.js';
import { isNotFound, NO_FUNDS, readRefusal, type Refusal } from './refusals.js';
import { readCode } from '../common/charge-code.js';
import { type HttpAnswer, inconclusive } from '../common/http.js';
import { unknown, unreadable, unusable } from '../common/answers.js';
import type { PixApiClient } from './client.js';
import {
  type Dialect,
  type NoteFields,
  type Paths,
  chargeStatusOf,
  reversalKindOf,
  reversalStatusOf,
} from './dialect.js';
import { type PayerAnswer, payerOfReceived, listedPayments } from './received.js';

/**
 * Statuses of refusals, which a look-up confirms: they may answer a repeat of a request whose answer was lost. Others
 * (401, 403, 404, 429, …) may concern credentials, the network or load.
 */
const REFUSING_STATUSES = [400, 409, 422];

export interface ChargeContext {
  readonly client: PixApiClient;
  readonly dialect: Dialect;
  readonly paths: Paths;
  readonly pixKey: string;
  readonly timeoutMs: number;
  /** Of locations that take no real money. */
  readonly testHosts: readonly string[];
  /** Those of them that are certain. Without a setting, the host of the API counts as one, too. */
  readonly knownTestHosts: readonly string[];
  readonly noteFields: NoteFields;
}

/** Every code needs them; a payer's bank shows the name that is in the charge itself. */
const UNNAMED_RECEIVER = { merchantName: 'RECEBEDOR', merchantCity: 'BRASIL' } as const;

/** A refusal in the provider's format, with a status of refusals. Null for anything else. */
function refusalOf(answer: HttpAnswer): Refusal | null {
  return answer.kind === 'answered' && REFUSING_STATUSES.includes(answer.status) ? readRefusal(answer.body) : null;
}

/** The context with the rest of its time limit: one port call may need two HTTP calls. */
function withRemainingBudget(context: ChargeContext, startedAtMs: number): ChargeContext {
  return { ...context, timeoutMs: Math.max(0, Math.floor(context.timeoutMs - (performance.now() - startedAtMs))) };
}

/** `PUT /cob/{txid}`. A repeat returns the first request's charge and creates no second one. */
export async function createCharge(context: ChargeContext, request: ChargeRequest): Promise<ChargeOutcome> {
  if (!isWireAmount(request.amountMinor)) return { kind: 'refused', code: 'amount_not_supported' };
  const { document } = request.payer;
  if (document.type !== 'CPF' && document.type !== 'CNPJ') return { kind: 'refused', code: 'document_not_supported' };
  const path = context.paths.charge(request.reference);
  const startedAtMs = performance.now();
  const answer = await context.client.call({
    method: 'PUT',
    path,
    body: chargeBody(context, request),
    timeoutMs: context.timeoutMs,
  });
  if (answer.kind === 'answered' && (answer.status === 200 || answer.status === 201))
    return readCreated(context, request, answer.body);
  const refusal = refusalOf(answer);
  if (refusal === null) return unknown(inconclusive(answer));
  return settleByLookup(withRemainingBudget(context, startedAtMs), request, refusal.error);
}

function chargeBody(context: ChargeContext, request: ChargeRequest): object {
  const { document, name, email } = request.payer;
  const devedor = {
    ...(document.type === 'CPF' ? { cpf: document.number } : { cnpj: document.number }),
    ...(name === null ? {} : { nome: name }),
    ...(email === null || !context.dialect.charge.sendsPayerEmail ? {} : { email }),
  };
  const { debtor } = context.dialect.charge;
  const isDebtorSent = debtor === 'always' || (debtor === 'named' && name !== null);
  return {
    calendario: { expiracao: request.expiresInSeconds },
    ...(isDebtorSent ? { devedor } : {}),
    valor: { original: toWireAmount(request.amountMinor) },
    chave: context.pixKey,
    solicitacaoPagador: request.description.slice(0, 140),
  };
}

/** A refused PUT is a refusal, or follows an earlier PUT whose answer was lost. Only a GET is conclusive. */
async function settleByLookup(context: ChargeContext, request: ChargeRequest, error: string): Promise<ChargeOutcome> {
  const answer = await getCharge(context, request.reference);
  if (answer.kind === 'answered' && answer.status === 200) return readCreated(context, request, answer.body);
  const { notFoundErrors, duplicateErrors } = context.dialect.charge;
  if (!isNotFound(context.dialect, notFoundErrors, answer)) return unknown(inconclusive(answer));
  // "Already exists" and "not found" contradict each other, for example because a replica lags.
  if (duplicateErrors.includes(error)) return unknown('duplicate_not_found');
  return { kind: 'refused', code: error };
}

function getCharge(context: ChargeContext, reference: string): Promise<HttpAnswer> {
  return context.client.call({
    method: 'GET',
    path: context.paths.charge(reference),
    timeoutMs: context.timeoutMs,
  });
}

/** Accepts only this request's charge, with its amount and a valid BR Code. */
function readCreated(context: ChargeContext, request: ChargeRequest, body: unknown): ChargeOutcome {
  context.noteFields('charge', body);
  const parsed = wireCharge.safeParse(body);
  if (!parsed.success) return unreadable(parsed.error);
  const wire = parsed.data;
  const stranger = foreignFieldOf(context, request.reference, wire);
  if (stranger !== null) return unusable('answer_of_another_charge', stranger);
  // Same id, other content: the provider holds a charge that was not requested, and the id cannot be used again.
  if (wire.valor.original !== request.amountMinor) return { kind: 'refused', code: 'charge_conflict' };
  const status = chargeStatusOf(wire.status);
  if (status === 'unknown') return unusable('unknown_charge_status', 'status');
  if (status === 'removed') return { kind: 'refused', code: 'charge_removed' };
  return withBrCode(wire, context);
}

/** The field by which the answer is about another charge, or one of another receiver; `null` if it is ours. */
function foreignFieldOf({ pixKey }: ChargeContext, reference: string, { txid, chave }: WireCharge): string | null {
  if (txid !== reference) return 'txid';
  return isSamePixKey(pixKey, chave) ? null : 'chave';
}

function withBrCode(wire: WireCharge, { pixKey, testHosts, knownTestHosts }: ChargeContext): ChargeOutcome {
  const copyPaste = copyPasteOf(wire);
  if (copyPaste === null) return unusable('charge_without_a_code', 'pixCopiaECola');
  const amountMinor = wire.valor.original;
  const charged = { amountMinor, pixKey, locations: locationsOf(wire), references: [wire.txid] };
  const read = readCode(copyPaste, charged, 'pixCopiaECola');
  if (read.kind === 'unknown') return read;
  const host = hostOf(read.code.location);
  const charge: Charge = {
    reference: wire.txid,
    copyPaste,
    // Some providers send a data URI, some the bare base64.
    qrCodePngBase64: wire.imagemQrcode?.replace(/^data:image\/png;base64,/, '') ?? null,
    createdAt: wire.calendario.criacao,
    expiresAt: new Date(Date.parse(wire.calendario.criacao) + wire.calendario.expiracao * 1_000).toISOString(),
    sandboxMarker: testHosts.includes(host),
    isOfTestHost: knownTestHosts.includes(host),
    amountMinor,
  };
  return { kind: 'created', charge };
}

/** Without the port; empty where the code has no location. */
function hostOf(location: string | null): string {
  const address = `https://${location ?? ''}`;
  return URL.canParse(address) ? new URL(address).hostname : '';
}

/** As answered, or built from the charge's location, the reverse of what every reader of codes does. */
function copyPasteOf(wire: WireCharge): string | null {
  const { pixCopiaECola, valor } = wire;
  if (pixCopiaECola) return pixCopiaECola;
  const place = (locationsOf(wire)[0] ?? '').replace(/^https?:\/\//, '');
  // A code cannot contain a longer location, or one with other characters.
  if (!/^[\x21-\x7e]{1,77}$/.test(place)) return null;
  return buildDynamicBrCode({ location: place, amountMinor: valor.original, ...UNNAMED_RECEIVER });
}

function locationsOf({ location, loc }: WireCharge): readonly string[] {
  return [location, loc?.location].flatMap((stated) => stated ?? []);
}

/** `GET /cob/{txid}`: the state of a charge and every payment on it. */
export async function lookUpCharge(
  context: ChargeContext,
  reference: string,
  expected: TaxDocument | null,
): Promise<ChargeLookup> {
  const startedAtMs = performance.now();
  const answer = await getCharge(context, reference);
  if (isNotFound(context.dialect, context.dialect.charge.notFoundErrors, answer)) return { kind: 'not_found' };
  if (answer.kind !== 'answered' || answer.status !== 200) return unknown(inconclusive(answer));
  context.noteFields('charge', answer.body);
  const parsed = wireCharge.safeParse(answer.body);
  if (!parsed.success) return unreadable(parsed.error);
  const stranger = foreignFieldOf(context, reference, parsed.data);
  if (stranger !== null) return unusable('answer_of_another_charge', stranger);
  const status = chargeStatusOf(parsed.data.status);
  if (status === 'unknown') return unusable('unknown_charge_status', 'status');
  const payments: ReceivedPix[] = [];
  for (const [index, pix] of parsed.data.pix.entries()) {
    const payment = readPix(context, reference, pix, `pix.${index}`);
    if ('kind' in payment) return payment;
    payments.push(payment);
  }
  const found = { kind: 'found', status, createdAt: parsed.data.calendario.criacao, payments } as const;
  if (payments.every(isPayerKnown)) return found;
  const remaining = () => withRemainingBudget(context, startedAtMs);
  switch (context.dialect.charge.payerIn) {
    case 'list':
      return withListedPayers(remaining(), parsed.data, found);
    case 'received':
      return withReceivedPayers(remaining, found, reference, expected);
    case 'pagador':
    case 'extras':
    case null:
      return found;
  }
}

type FoundCharge = Extract<ChargeLookup, { kind: 'found' }>;

/** A name alone does not say who it was. */
function isPayerKnown({ payer }: ReceivedPix): boolean {
  return payer !== null && payer.document !== null;
}

/**
 * Some banks name the payer in the list of charges only. A list that is not answered leaves the look-up open, to be
 * made again; one that is refused, or has no payer, leaves the payer unknown.
 */
async function withListedPayers(context: ChargeContext, charge: WireCharge, found: FoundCharge): Promise<ChargeLookup> {
  const listed = await listedPayments(context, charge);
  if (listed.kind === 'unknown') return listed;
  const payerOfListed = (endToEndId: string) => {
    const wire = listed.payments.find((one) => one.endToEndId === endToEndId);
    return wire === undefined ? null : payerOf(context.dialect, wire);
  };
  const payments = found.payments.map((one) =>
    isPayerKnown(one) ? one : { ...one, payer: payerOfListed(one.endToEndId) ?? one.payer },
  );
  return { ...found, payments };
}

/** Others name the payer in the received PIX, or only say whether it was the expected one. */
async function withReceivedPayers(
  remaining: () => ChargeContext,
  found: FoundCharge,
  reference: string,
  expected: TaxDocument | null,
): Promise<ChargeLookup> {
  const payments: ReceivedPix[] = [];
  for (const payment of found.payments) {
    const { endToEndId, paidAt } = payment;
    const answer: PayerAnswer = isPayerKnown(payment)
      ? { kind: 'payer', payer: null }
      : await payerOfReceived(remaining(), reference, { endToEndId, horario: paidAt }, expected);
    if (answer.kind === 'unknown') return answer;
    payments.push(answer.payer === null ? payment : { ...payment, payer: answer.payer });
  }
  return { ...found, payments };
}

/** `at`: where the answer has the payment. */
function readPix(
  { dialect, pixKey }: ChargeContext,
  reference: string,
  wire: WirePix,
  at: string,
): ReceivedPix | Unknown {
  if ((wire.txid ?? reference) !== reference) return unusable('payment_of_another_charge', `${at}.txid`);
  if (!isSamePixKey(pixKey, wire.chave ?? pixKey)) return unusable('payment_of_another_charge', `${at}.chave`);
  const reversals = wire.devolucoes.map(readReversal);
  if (!reversals.every((reversal) => reversal !== null)) return unusable('unknown_reversal', `${at}.devolucoes`);
  // Parts are added up, so each must count once.
  if (!allDiffer(wire.devolucoes)) return unusable('duplicate_return', `${at}.devolucoes`);
  return {
    endToEndId: wire.endToEndId,
    amountMinor: wire.valor,
    paidAt: wire.horario,
    payer: payerOf(dialect, wire),
    reversals,
    feeMinor: wire.gnExtras?.tarifa ?? null,
  };
}

function payerOf({ charge: { payerIn } }: Dialect, wire: WirePix): ReceivedPix['payer'] {
  switch (payerIn) {
    case 'pagador':
      return wire.pagador ?? null;
    case 'list':
    case 'received':
      return wire.gnExtras?.pagador ?? wire.pagador ?? null;
    case 'extras':
      return wire.extras?.pagador ?? null;
    case null:
      return null;
  }
}

function readReversal(wire: WireReversal): Reversal | null {
  const kind = reversalKindOf(wire.natureza);
  const status = reversalStatusOf(wire.status);
  if (kind === 'unknown' || status === 'unknown') return null;
  const returnId = wire.rtrId ? { returnId: wire.rtrId } : {};
  const at = wire.horario.liquidacao ?? wire.horario.solicitacao;
  return { reference: wire.id, amountMinor: wire.valor, kind, status, at, ...returnId };
}

/** `PUT /pix/{e2eid}/devolucao/{id}`: returns a payment. A repeat with the same id reports the first return. */
export async function requestReversal(
  context: ChargeContext,
  request: { endToEndId: string; reference: string; amountMinor: bigint },
): Promise<ReversalOutcome> {
  if (!isWireAmount(request.amountMinor)) return { kind: 'refused', code: 'amount_not_supported' };
  const path = context.paths.reversal(request.endToEndId, request.reference);
  const startedAtMs = performance.now();
  const answer = await context.client.call({
    method: 'PUT',
    path,
    body: { valor: toWireAmount(request.amountMinor) },
    timeoutMs: context.timeoutMs,
  });
  if (answer.kind === 'answered' && (answer.status === 200 || answer.status === 201))
    return readReversalAnswer(context, request.reference, answer);
  const refusal = refusalOf(answer);
  if (refusal === null) return unknown(inconclusive(answer));
  const known = await lookUpReversal(withRemainingBudget(context, startedAtMs), request);
  if (known !== 'not_found') return known;
  // It can be asked for again under the same id when the account has money.
  if (refusal.code === NO_FUNDS) return unknown('no_funds');
  // Money that went back must not be credited too, so any other status leaves it open.
  const { finalErrors } = context.dialect.reversal;
  return finalErrors.includes(refusal.error) ? { kind: 'refused', code: refusal.error } : unknown(inconclusive(answer));
}

/** `GET /pix/{e2eid}/devolucao/{id}`. `not_found` if the provider does not know the return, or not yet. */
async function lookUpReversal(
  context: ChargeContext,
  request: { endToEndId: string; reference: string },
): Promise<ReversalOutcome | 'not_found'> {
  const { notFoundErrors } = context.dialect.reversal;
  const answer = await context.client.call({
    method: 'GET',
    path: context.paths.reversal(request.endToEndId, request.reference),
    timeoutMs: context.timeoutMs,
  });
  if (isNotFound(context.dialect, notFoundErrors, answer)) return 'not_found';
  return readReversalAnswer(context, request.reference, answer);
}

function readReversalAnswer({ noteFields }: ChargeContext, reference: string, answer: HttpAnswer): ReversalOutcome {
  if (answer.kind !== 'answered' || answer.status >= 300) return unknown(inconclusive(answer));
  noteFields('reversal', answer.body);
  const parsed = wireReversal.safeParse(answer.body);
  if (!parsed.success) return unreadable(parsed.error);
  const reversal = readReversal(parsed.data);
  if (reversal === null) return unusable('unknown_reversal', 'status');
  if (reversal.reference !== reference) return unusable('answer_of_another_return', 'id');
  return { kind: 'accepted', reversal };
}
