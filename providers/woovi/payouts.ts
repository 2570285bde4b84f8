// Payouts at Woovi: the one payment under the withdrawal's reference, created and approved in one request, its look-up,
// and what a receiving bank sent back of it, found in the account's transactions by the payout's end-to-end id.
import { isTaxDocument } from '../../domain/documents.js';
import { isPixKeyFormat, type PixKeyType } from '../../domain/pix.js';
import { isWireAmount } from '../pix-api/wire.js';
import { PROVING_CODES } from '../pix-api/refusals.js';
import type { Payout, PayoutLookup, PayoutOutcome, PayoutRequest, Reversal, Unknown } from '../port.js';
import { unknown, unusable } from '../common/answers.js';
import { left, unclear, unread, type WooviContext } from './client.js';
import { isNotFound } from './errors.js';
import { KNOWN, paymentAnswer, type WirePayment, transactionsAnswer, type WireTransaction } from './wire.js';
import { paymentStateOf, isSentBack, refundStateOf } from './status.js';
import { isRead, readTransactions, type TransactionMeaning } from './transactions.js';

const KEY_TYPES = {
  cpf: 'CPF',
  cnpj: 'CNPJ',
  email: 'EMAIL',
  phone: 'PHONE',
  random: 'RANDOM',
} as const satisfies Record<PixKeyType, string>;

/** Woovi's own codes of a failed payment that are given before anything is sent. */
export const WOOVI_PROVING_CODES = {
  INVALID_PIX_KEY: 'the key is malformed',
  PIX_KEY_INFO_NOT_FOUND: 'the key belongs to nobody',
  REACH_TRANSFER_LIMIT: 'the amount is over a limit of the paying account',
  NOT_ENOUGH_BALANCE: 'the paying account has not enough money',
  ENTRY_ASSOCIATED_WITH_RESTRICTED_ACCOUNT_OR_USER: 'the receiving account is restricted because of fraud',
} as const;

/** "There is such a payment already": that other one may have been paid. */
const DUPLICATE_CODES = ['DUPL', 'AM05'];

const failed = (reference: string, failureCode: string): Payout => ({
  reference,
  status: 'failed',
  endToEndId: null,
  failureCode,
  paidAt: null,
  returns: [],
  // Woovi has none for a payment.
  feeMinor: null,
});

/**
 * Sends the payout once. Every refusal is `unknown`: Woovi documents no text that proves that no payment was made, and
 * one that lacked money or an approval waits in its panel. Only a payment's own state is final.
 */
export async function sendPayout(context: WooviContext, request: PayoutRequest): Promise<PayoutOutcome> {
  // Woovi accepts no such amount, so this is conclusive without a call.
  if (!isWireAmount(request.amountMinor))
    return { kind: 'reply', payout: failed(request.reference, 'amount_not_supported') };
  if (!isTaxDocument(request.beneficiaryDocument))
    return { kind: 'reply', payout: failed(request.reference, 'document_not_supported') };
  if (!isPixKeyFormat(request.key.type, request.key.value))
    return { kind: 'reply', payout: failed(request.reference, 'key_malformed') };
  const answer = await context.client.call({
    method: 'POST',
    path: '/payment',
    body: paymentBody(request),
    timeoutMs: context.callTimeoutMs,
    atMostOnce: request.mayLeave,
  });
  if (answer.kind === 'never_left') return { kind: 'not_sent', reason: answer.reason };
  const wire = context.client.read(paymentAnswer, KNOWN.payment, answer);
  return wire === null ? unread(paymentAnswer, answer) : readReply(context, request, wire);
}

function paymentBody({ reference, amountMinor, key, lookupEndToEndId, description }: PayoutRequest): object {
  return {
    type: 'PIX_KEY',
    correlationID: reference,
    value: Number(amountMinor),
    destinationAlias: key.value,
    destinationAliasType: KEY_TYPES[key.type],
    comment: description.slice(0, 140),
    // Without it the payment waits for a person.
    autoApprove: true,
    ...(lookupEndToEndId === null ? {} : { pixKeyEndToEndId: lookupEndToEndId }),
  };
}

function readReply(context: WooviContext, request: PayoutRequest, wire: WirePayment): PayoutOutcome {
  const stranger = foreignFieldOf(request, wire);
  if (stranger !== null) return unusable('answer_of_another_payout', stranger);
  const payout = readPayment(context, wire);
  if (typeof payout === 'string') return unclear(payout);
  // A failure in the answer to the send is final only for a reason that occurs only before money moves.
  if (payout.failureCode !== null && !isProof(payout.failureCode)) return unknown('failure_not_final');
  return { kind: 'reply', payout };
}

/** The field by which the answer is about another payment; `null` if it is ours. */
function foreignFieldOf(
  { reference, amountMinor }: Pick<PayoutRequest, 'reference' | 'amountMinor'>,
  { payment, transaction }: WirePayment,
): string | null {
  if (payment.correlationID !== reference) return 'payment.correlationID';
  if (payment.value !== amountMinor) return 'payment.value';
  return (transaction?.value ?? amountMinor) === amountMinor ? null : 'transaction.value';
}

function isProof(code: string): boolean {
  return Object.hasOwn(PROVING_CODES, code) || Object.hasOwn(WOOVI_PROVING_CODES, code);
}

/** `GET /payment/{id}`. `not_found` soon after a send proves nothing. */
export async function lookUpPayout(
  context: WooviContext,
  request: { reference: string; amountMinor: bigint },
): Promise<PayoutLookup> {
  const remaining = left(context.callTimeoutMs);
  const path = `/payment/${encodeURIComponent(request.reference)}`;
  const answer = await context.client.call({ method: 'GET', path, timeoutMs: remaining() });
  if (isNotFound('payment', answer)) return { kind: 'not_found' };
  const wire = context.client.read(paymentAnswer, KNOWN.payment, answer);
  if (wire === null) return unread(paymentAnswer, answer);
  const stranger = foreignFieldOf(request, wire);
  if (stranger !== null) return unusable('answer_of_another_payout', stranger);
  const payout = readPayment(context, wire);
  if (typeof payout === 'string') return unclear(payout);
  if (payout.status !== 'paid' || payout.endToEndId === null) return { kind: 'found', payout };
  const returns = await payoutReturnsOf(context, payout.endToEndId, request.amountMinor, remaining());
  if ('kind' in returns) return returns;
  return { kind: 'found', payout: { ...payout, returns } };
}

/** The payment without its returns, or the reason code of an inconclusive answer. */
function readPayment(context: WooviContext, wire: WirePayment): Payout | string {
  const { correlationID: reference } = wire.payment;
  const endToEndId = wire.transaction?.endToEndId ?? null;
  const common = { reference, endToEndId, returns: [], feeMinor: null } as const;
  switch (paymentStateOf(wire.payment.status)) {
    case 'unknown':
      context.client.noteDrift('unknown_state');
      return 'unknown_payout_state';
    case 'processing':
      return { ...common, status: 'processing', failureCode: null, paidAt: null };
    case 'paid':
      // A settled PIX always has an end-to-end id, which becomes `psp_reference`.
      if (endToEndId === null) return 'paid_without_end_to_end_id';
      return { ...common, status: 'paid', failureCode: null, paidAt: wire.transaction?.time ?? null };
    case 'denied':
      // The examples of the guides also show this word next to transactions: then it means nothing.
      return endToEndId === null ? failed(reference, 'payment_denied') : 'denied_with_a_transaction';
    case 'failed': {
      const code = failureCodeOf(wire);
      // It failed because of another payment, perhaps a paid one.
      if (code !== null && DUPLICATE_CODES.includes(code)) return 'failed_as_duplicate';
      // Documented as a final state, and the look-up may lack the reason.
      return { ...failed(reference, code ?? 'payment_failed'), endToEndId };
    }
  }
}

/** `AM04 - Saldo insuficiente` → `AM04`; else Woovi's own code. */
function failureCodeOf({ transaction, error }: WirePayment): string | null {
  const bySystem = /^([A-Z0-9]{4})(?= *-|$)/.exec(transaction?.providerRejectedReason ?? '')?.[1];
  return bySystem ?? transaction?.providerErrorCode ?? error?.code ?? null;
}

/** The completed returns, or why they are not known. */
async function payoutReturnsOf(
  context: WooviContext,
  endToEndId: string,
  sentMinor: bigint,
  timeoutMs: number,
): Promise<Payout['returns'] | Unknown> {
  const path = `/transaction?withdrawal=${endToEndId}`;
  const answer = await context.client.call({ method: 'GET', path, timeoutMs });
  const listed = context.client.read(transactionsAnswer, KNOWN.transactions, answer);
  if (listed === null) return unread(transactionsAnswer, answer);
  if (listed.pageInfo?.hasNextPage === true) return unusable('more_transactions_than_a_page', 'pageInfo');
  const rows = readTransactions(context, listed.transactions);
  if (!isRead(rows)) return rows;
  const returns: WireTransaction[] = [];
  for (const { transaction, meaning } of rows.filter(({ meaning: { kind } }) => kind === 'refund')) {
    const state = returnStateOf(context, transaction, meaning);
    if (state === 'done') returns.push(transaction);
    else if (state !== 'pending' && state !== 'refused') return unclear(state);
  }
  // The payout is reported as sent back and no return says how much: "nothing came back" would be wrong.
  const wasSentBack = rows.some(({ meaning: { kind, state } }) => kind === 'payout' && isSentBack(state));
  if (wasSentBack && returns.length === 0) return unknown('return_not_listed');
  const parts = partsOf(returns, sentMinor);
  return typeof parts === 'string' ? unclear(parts) : parts;
}

/** The state of a return's row, or the reason code of an inconclusive one. */
function returnStateOf(
  { client }: WooviContext,
  { type, status }: WireTransaction,
  { state }: TransactionMeaning,
): Reversal['status'] | string {
  if (state === null) return 'return_without_a_state';
  const [reported] = [type, status].flatMap((word) => {
    const one = typeof word === 'string' ? refundStateOf(word) : 'unknown';
    return one === 'unknown' ? [] : [one];
  });
  if (reported !== undefined) return reported;
  client.noteDrift('unknown_state');
  return 'unknown_transaction_state';
}

function partsOf(returns: readonly WireTransaction[], sentMinor: bigint): Payout['returns'] | string {
  const parts = returns
    .toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time))
    .map(({ endToEndId: reference, value: amountMinor, time: at }) => ({ reference, amountMinor, at, code: null }));
  if (!parts.every(isNamed)) return 'return_without_an_id';
  // Each part must count once.
  if (new Set(parts.map(({ reference }) => reference)).size !== parts.length) return 'duplicate_return';
  if (parts.some(({ amountMinor }) => amountMinor === 0n)) return 'returned_without_an_amount';
  return parts.reduce((sum, part) => sum + part.amountMinor, 0n) > sentMinor ? 'returned_more_than_sent' : parts;
}

function isNamed<Part extends { readonly reference: string | null }>(
  part: Part,
): part is Part & { readonly reference: string } {
  return part.reference !== null;
}
