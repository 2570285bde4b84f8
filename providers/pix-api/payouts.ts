// Payouts at a provider: the one send under the withdrawal's reference, and its look-up.
import { isTaxDocument } from '../../domain/documents.js';
import { isPixKeyFormat } from '../../domain/pix.js';
import type { Payout, PayoutLookup, PayoutOutcome, PayoutRequest, Unknown } from '../port.js';
import { inconclusive } from '../common/http.js';
import { unknown, unreadable, unusable } from '../common/answers.js';
import { isWireAmount, allDiffer, type WirePayout } from './wire.js';
import { isNotFound, isProof, NO_FUNDS, provenFailure, readRefusal } from './refusals.js';
import type { PixApiClient } from './client.js';
import { type Dialect, type PayoutDialect, type NoteFields, payoutReturnStateOf, payoutStateOf } from './dialect.js';

/** Statuses of refusals. Others (401, 403, 404, 409, 429, …) never prove that nothing was accepted. */
const REFUSING_STATUSES = [400, 422];

export interface PayoutContext {
  readonly client: PixApiClient;
  readonly dialect: Pick<Dialect, 'notFoundStatuses'>;
  readonly payout: PayoutDialect;
  readonly pixKey: string;
  readonly timeoutMs: number;
  readonly noteFields: NoteFields;
}

const failed = (reference: string, failureCode: string): Payout => ({
  reference,
  status: 'failed',
  endToEndId: null,
  failureCode,
  paidAt: null,
  returns: [],
  feeMinor: null,
});

/**
 * Sends the payout once. A refused or duplicate reference, 429, 5xx and every timeout are `unknown`: the money may be
 * on its way. Only what the dialect lists as final is a failure.
 */
export async function sendPayout(context: PayoutContext, request: PayoutRequest): Promise<PayoutOutcome> {
  const { payout } = context;
  // No provider accepts such an amount, so this is conclusive without a call.
  if (!isWireAmount(request.amountMinor))
    return { kind: 'reply', payout: failed(request.reference, 'amount_not_supported') };
  if (!isTaxDocument(request.beneficiaryDocument))
    return { kind: 'reply', payout: failed(request.reference, 'document_not_supported') };
  // Some providers derive the type of a key from its form: a malformed one could be taken for another person's.
  if (!isPixKeyFormat(request.key.type, request.key.value))
    return { kind: 'reply', payout: failed(request.reference, 'key_malformed') };
  const answer = await context.client.call({
    method: payout.method,
    path: payout.path(request.reference),
    body: payout.body({ ...request, description: request.description.slice(0, 140) }, context.pixKey),
    timeoutMs: context.timeoutMs,
    atMostOnce: request.mayLeave,
  });
  if (answer.kind === 'never_left') return { kind: 'not_sent', reason: answer.reason };
  if (answer.kind === 'may_have_arrived') return unknown(answer.reason);
  if (answer.status >= 200 && answer.status < 300) return readReply(context, request, answer.body);
  const refusal = REFUSING_STATUSES.includes(answer.status) ? readRefusal(answer.body) : null;
  const failureCode = refusal === null ? null : provenFailure(payout, refusal);
  if (failureCode === NO_FUNDS) return { kind: 'no_funds' };
  return failureCode === null
    ? unknown(inconclusive(answer))
    : { kind: 'reply', payout: failed(request.reference, failureCode) };
}

function readReply(
  { payout: dialect, noteFields }: PayoutContext,
  request: PayoutRequest,
  body: unknown,
): PayoutOutcome {
  noteFields('payout', body);
  const parsed = dialect.reply.safeParse(body);
  if (!parsed.success) return unreadable(parsed.error);
  const stranger = foreignFieldOf(request, parsed.data);
  if (stranger !== null) return unusable('answer_of_another_payout', stranger);
  const payout = readPayout(dialect, parsed.data);
  if (typeof payout === 'string') return unclear(payout);
  // A failure in the answer to the send is a refusal like any other.
  if (payout.failureCode !== null && !isProof(dialect.finalCodes, payout.failureCode))
    return unknown('failure_not_final');
  return { kind: 'reply', payout };
}

/** Looks the payout up by its reference. `not_found` soon after a send proves nothing. */
export async function lookUpPayout(
  context: PayoutContext,
  request: Pick<PayoutRequest, 'reference' | 'amountMinor'>,
): Promise<PayoutLookup> {
  const { dialect, payout: habits } = context;
  const answer = await context.client.call({
    method: 'GET',
    path: habits.lookupPath(request.reference),
    timeoutMs: context.timeoutMs,
  });
  if (isNotFound(dialect, habits.notFoundErrors, answer)) return { kind: 'not_found' };
  if (answer.kind !== 'answered' || answer.status !== 200) return unknown(inconclusive(answer));
  context.noteFields('payout', answer.body);
  const parsed = habits.reply.safeParse(answer.body);
  if (!parsed.success) return unreadable(parsed.error);
  const stranger = foreignFieldOf(request, parsed.data);
  if (stranger !== null) return unusable('answer_of_another_payout', stranger);
  const payout = readPayout(habits, parsed.data);
  return typeof payout === 'string' ? unclear(payout) : { kind: 'found', payout };
}

/** The field by which the answer is about another payout; `null` if it is ours. */
function foreignFieldOf(
  { reference, amountMinor }: Pick<PayoutRequest, 'reference' | 'amountMinor'>,
  wire: WirePayout,
): string | null {
  if (wire.reference !== reference) return 'reference';
  return wire.amountMinor === amountMinor ? null : 'amount';
}

/** The part of the answer that does not fit. A failure that is not final yet is no fault of the answer. */
const FIELD_OF_PROBLEM: Readonly<Record<string, string>> = {
  unknown_payout_state: 'status',
  paid_without_end_to_end_id: 'endToEndId',
  unknown_return_state: 'returns',
  duplicate_return: 'returns',
  returned_more_than_sent: 'returns',
  returned_without_an_amount: 'returns',
  returned_without_a_payment: 'returns',
  returned_without_a_return: 'returns',
};

function unclear(problem: string): Unknown {
  return Object.hasOwn(FIELD_OF_PROBLEM, problem) ? unusable(problem, FIELD_OF_PROBLEM[problem]!) : unknown(problem);
}

/** The payout, or the reason code of an inconclusive answer. */
function readPayout(dialect: PayoutDialect, wire: WirePayout): Payout | string {
  const state = payoutStateOf(dialect, wire.state);
  const { reference, endToEndId, paidAt, feeMinor = null } = wire;
  const code = wire.code ?? dialect.defaultFailureCode;
  const returns = returnsOf(dialect, wire);
  if (typeof returns === 'string') return returns;
  switch (state) {
    case 'unknown':
      return 'unknown_payout_state';
    case 'processing':
      if (returns.length > 0) return 'returned_without_a_payment';
      return { reference, status: 'processing', endToEndId, failureCode: null, paidAt: null, returns, feeMinor };
    case 'failed':
      if (returns.length > 0) return 'returned_without_a_payment';
      // Without a code the state may still change. A duplicate failed because of another payout, perhaps a paid one.
      if (code === null) return 'failed_without_a_code';
      if (dialect.duplicateCodes.includes(code)) return 'failed_as_duplicate';
      return { reference, status: 'failed', endToEndId, failureCode: code, paidAt: null, returns, feeMinor };
    case 'paid':
    case 'returned':
      // A settled PIX always has an end-to-end id, which becomes `psp_reference`.
      if (endToEndId === null) return 'paid_without_end_to_end_id';
      if (state === 'returned' && returns.length === 0) return 'returned_without_a_return';
      return { reference, status: 'paid', endToEndId, failureCode: null, paidAt, returns, feeMinor };
  }
}

/** The completed returns, or the reason code of an inconclusive answer. */
function returnsOf(
  dialect: PayoutDialect,
  { amountMinor: sentMinor, returns }: WirePayout,
): Payout['returns'] | string {
  if (returns.some(({ state }) => payoutReturnStateOf(dialect, state) === 'unknown')) return 'unknown_return_state';
  // Each part must count once.
  if (!allDiffer(returns)) return 'duplicate_return';
  const done = returns
    .filter(({ state }) => payoutReturnStateOf(dialect, state) === 'done')
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  if (done.some(({ amountMinor }) => amountMinor === 0n)) return 'returned_without_an_amount';
  if (done.reduce((sum, part) => sum + part.amountMinor, 0n) > sentMinor) return 'returned_more_than_sent';
  return done.map(({ id: reference, amountMinor, at, code }) => ({ reference, amountMinor, at, code }));
}
