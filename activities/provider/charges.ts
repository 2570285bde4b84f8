// Charges at the payment provider: creating one, looking one up, and returning a payment to its payer.
import { ApplicationFailure } from '@temporalio/activity';
import type { StoredDepositOrder } from '../../contract/temporal/payment.js';
import { compareReportedDocument, type TaxDocument } from '../../domain/documents.js';
import { chargeReferenceOf } from '../../domain/identifiers.js';
import { parseAmountMinor } from '../../domain/money.js';
import {
  type ChargeFindings,
  type PaymentFinding,
  RETURN_NOT_PERFORMED,
} from '../../domain/payments/charge-findings.js';
import type { DepositPayer } from '../../domain/payments/deposit.js';
import type { ChargeResult, ReturnResult } from '../../domain/payments/deposit-acts.js';
import { checkedMoment, checkedTerm, isOutside, type KnownSpan } from '../../domain/provider-clock.js';
import type { AccountName, Charge, Provider, ProviderRegistry, ReceivedPix, Unknown } from '../../providers/port.js';
import { placeOf } from '../../store/sealing/places.js';
import { openDepositRequest } from '../../store/sealing/orders.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { OperationClocks } from '../operation-clocks.js';
import { type AskedAbout, ProviderDoubts, type RaiseAlert } from './doubts.js';

/** The account that the calls go to. */
export interface ByContract {
  /** The version of the contract by which the provider's answers are read: see `Provider.contract`. */
  contractOf(order: { readonly provider: string }): string;
}

/** `span`: what the provider's times are compared with. */
export interface Question<Order> {
  readonly order: Order;
  readonly span: KnownSpan;
}

type DepositQuestion = Question<StoredDepositOrder>;

/**
 * Calls about charges, made by the steps of deposits in the same process. An inconclusive answer throws a retryable
 * failure.
 */
export interface ChargeCalls extends ByContract {
  createCharge(input: DepositQuestion): Promise<ChargeResult>;
  lookUpCharge(input: DepositQuestion): Promise<ChargeFindings>;
  /** `reference`: the provider's id of this return (`returnReferenceOf`). */
  returnPayment(
    input: DepositQuestion & { endToEndId: string; reference: string; amountMinor: bigint },
  ): Promise<ReturnResult>;
}

/** Longer pauses are several tries: while a provider wants no call, none of them leaves this process. */
const LONGEST_PAUSE_SECONDS = 60;

const PROVIDER_INCONCLUSIVE = 'ProviderInconclusive';

/**
 * The failure of an inconclusive answer: Temporal retries with the same reference. `reason` is a code that the
 * payment's page shows. `retryAfterSeconds`: the provider named a time before which it wants no call.
 */
export function inconclusive(reason: string, retryAfterSeconds?: number): ApplicationFailure {
  const message = `the provider's answer is not conclusive: ${reason}`;
  if (retryAfterSeconds === undefined) return ApplicationFailure.retryable(message, PROVIDER_INCONCLUSIVE, reason);
  return ApplicationFailure.create({
    message,
    type: PROVIDER_INCONCLUSIVE,
    details: [reason],
    nextRetryDelay: Math.min(retryAfterSeconds, LONGEST_PAUSE_SECONDS) * 1_000,
  });
}

/** Whether a step failed because the provider's answer was not conclusive. */
export function isInconclusive(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === PROVIDER_INCONCLUSIVE;
}

/** An instant as RFC 3339 in UTC; the provider may use any offset. */
function utc(instant: string): string {
  return new Date(instant).toISOString();
}

/** A fee of zero counts as no fee. */
export function feeOf(feeMinor: bigint | null): bigint | null {
  return feeMinor === 0n ? null : feeMinor;
}

/** `raise` stores an alert, unless one of its kind is open for the object. */
export function createChargeCalls(
  providers: ProviderRegistry,
  sealer: Sealer,
  raise: RaiseAlert,
  clocks = new OperationClocks('production'),
): ChargeCalls {
  const doubts = new ProviderDoubts(raise);
  const asking = ({ order, span }: { order: StoredDepositOrder; span: KnownSpan }): Asking => ({
    provider: providers(order.provider as AccountName),
    sealer,
    doubts,
    order,
    span: { ...span, isOwnClock: clocks.has(order.operationId) },
    about: { provider: order.provider, id: order.id, operationId: order.operationId, at: span.at },
  });
  return {
    contractOf: ({ provider }) => providers(provider as AccountName).contract,
    createCharge: oneCallPerCharge((input) => createCharge(asking(input))),
    lookUpCharge: (input) => lookUpCharge(asking(input)),
    returnPayment: (input) => returnPayment(asking(input), input),
  };
}

/** One question to the provider, and what its answer is compared with. */
interface Asking {
  readonly provider: Provider;
  readonly sealer: Sealer;
  readonly doubts: ProviderDoubts;
  readonly order: StoredDepositOrder;
  readonly span: KnownSpan;
  readonly about: AskedAbout;
}

/** A step that requests a charge while another step waits for it gets the same answer. */
function oneCallPerCharge(call: ChargeCalls['createCharge']): ChargeCalls['createCharge'] {
  const underWay = new Map<string, Promise<ChargeResult>>();
  return (input) => {
    const { id } = input.order;
    const answer = underWay.get(id) ?? call(input).finally(() => underWay.delete(id));
    underWay.set(id, answer);
    return answer;
  };
}

async function undecided({ doubts, about }: Asking, answer: Unknown): Promise<ApplicationFailure> {
  await doubts.ofAnswer(about, answer);
  return inconclusive(answer.reason, answer.retryAfterSeconds);
}

/** Creates the charge under a reference derived from the deposit, so that a repeat never makes a second one. */
async function createCharge(asking: Asking): Promise<ChargeResult> {
  const { provider, sealer, order } = asking;
  const { player, amount } = openDepositRequest(sealer, order);
  const outcome = await provider.createCharge({
    reference: chargeReferenceOf(order.id),
    // These are the sealed values. The permission is given only if the row has the same ones.
    amountMinor: parseAmountMinor(amount.amount),
    expiresInSeconds: order.expiresInSeconds,
    payer: { document: player.document as TaxDocument, name: stated(player.name), email: stated(player.email) },
    description: order.operationName,
  });
  if (outcome.kind === 'unknown') throw await undecided(asking, outcome);
  if (outcome.kind === 'refused') return { kind: 'refused', failureCode: outcome.code };
  const { charge } = outcome;
  // The environment guard: outside production a PIX that can be paid with real money must never reach a player, and in
  // production none that cannot.
  if (order.environment === 'production' ? charge.isOfTestHost : !charge.sandboxMarker)
    return { kind: 'refused', failureCode: 'environment_guard' };
  return instructionsOf(asking, charge);
}

/** Empty text is absence: banks refuse a name without a character. */
function stated(text: string | null | undefined): string | null {
  return text === null || text === undefined || text.trim() === '' ? null : text;
}

/** A code that cannot be paid any more is never delivered. */
async function instructionsOf({ order, span, doubts, about }: Asking, charge: Charge): Promise<ChargeResult> {
  const term = checkedTerm(charge, { ...span, termSeconds: order.expiresInSeconds });
  if (term.kind === 'over') return { kind: 'refused', failureCode: 'charge_expired' };
  if (term.drifts) await doubts.ofClock(about, 'the creation of a charge', charge.createdAt ?? charge.expiresAt);
  const expiresAt = utc(term.expiresAt);
  const { copyPaste, qrCodePngBase64 } = charge;
  return { kind: 'created', instructions: { copyPaste, qrCodePngBase64, expiresAt }, expiresAt };
}

async function lookUpCharge(asking: Asking): Promise<ChargeFindings> {
  const { provider, sealer, order, span, doubts, about } = asking;
  const { player } = openDepositRequest(sealer, order);
  const expected = player.document as TaxDocument;
  const lookup = await provider.lookUpCharge(chargeReferenceOf(order.id), expected);
  if (lookup.kind === 'unknown') throw await undecided(asking, lookup);
  if (lookup.kind === 'not_found') return { status: 'not_found', payments: [] };
  const { status, createdAt, payments } = lookup;
  // With a clock that is wrong about the charge, none of its times is worth anything.
  const isWrong = createdAt !== null && isOutside(createdAt, span);
  const [drifting] = isWrong
    ? [createdAt]
    : payments.flatMap((payment) => timesOf(payment)).filter((time) => isOutside(time, span));
  if (drifting !== undefined) await doubts.ofClock(about, isWrong ? 'the creation of a charge' : 'a payment', drifting);
  const timeOf = (time: string) => (isWrong ? span.at : checkedMoment(time, span).at);
  return {
    status,
    payments: payments.map((payment) => paymentFinding(asking, player.document.number, payment, timeOf)),
  };
}

function timesOf({ paidAt, reversals }: ReceivedPix): readonly string[] {
  return [paidAt, ...reversals.map(({ at }) => at)];
}

function paymentFinding(
  { sealer, order: { id, operationId } }: Asking,
  playerDocument: string,
  payment: ReceivedPix,
  timeOf: (stated: string) => string,
): PaymentFinding {
  const payerMatch = matchPayer(playerDocument, payment);
  const document = payment.payer?.document ?? null;
  const payer: DepositPayer = {
    document: document === null ? null : { type: document.type, number: document.number, country: 'BR' },
    name: payment.payer?.name ?? null,
    matchesPlayer: payerMatch === 'match',
  };
  return {
    endToEndId: payment.endToEndId,
    amountMinor: payment.amountMinor,
    paidAt: timeOf(payment.paidAt),
    payerMatch,
    feeMinor: feeOf(payment.feeMinor),
    sealedPayer: sealer.sealJson(placeOf('deposit.payer_sealed', operationId, { id }), payer),
    reversals: payment.reversals.map(({ kind, amountMinor, reference, returnId, status, at }) => ({
      kind,
      amountMinor,
      reference,
      ...(returnId === undefined ? {} : { returnId }),
      state: status,
      at: timeOf(at),
    })),
  };
}

/** Only a full match identifies the payer as the player: a match under a mask is too weak to credit money. */
function matchPayer(playerDocument: string, { payer }: ReceivedPix): PaymentFinding['payerMatch'] {
  if (!payer?.document) return 'unknown';
  const compared = compareReportedDocument(playerDocument, payer.document.number);
  return compared === 'match' || compared === 'mismatch' ? compared : 'unknown';
}

const ANOTHER_AMOUNT: Unknown = {
  kind: 'unknown',
  reason: 'return_of_another_amount',
  doubt: { kind: 'unreadable', field: 'amount' },
};

/** Returns a payment to its payer under one reference, so that a repeat finds the same return. */
async function returnPayment(
  asking: Asking,
  { endToEndId, reference, amountMinor }: { endToEndId: string; reference: string; amountMinor: bigint },
): Promise<ReturnResult> {
  const request = { endToEndId, reference, amountMinor };
  const outcome = await asking.provider.requestReversal(request);
  if (outcome.kind === 'unknown') throw await undecided(asking, outcome);
  if (outcome.kind === 'refused') return { kind: 'refused', code: outcome.code };
  const { reversal } = outcome;
  if (reversal.status === 'refused') return { kind: 'refused', code: RETURN_NOT_PERFORMED };
  // Under one id the bank has one return: with another amount it is not the one that was asked for.
  if (reversal.amountMinor !== request.amountMinor) throw await undecided(asking, ANOTHER_AMOUNT);
  if (reversal.status === 'pending') return { kind: 'pending' };
  return { kind: 'done', amountMinor, at: checkedMoment(reversal.at, asking.span).at };
}
