// What follows from a provider's report of a charge: payments and reversals, in any order, repeated, late or too large.
// Facts that the gateway holds itself (payer, time, amount) count even if the rules do not answer or are wrong.
import { alertOf } from '../alert-records.js';
import type { AlertNote } from '../alerts.js';
import { returnedMinor } from '../bank-movements.js';
import { DEPOSIT_REVIEW_REASONS, type DepositReviewReason, type DepositSnapshot } from './deposit.js';
import { returnConcluded, returnDone, returnRefused } from './deposit-acts.js';
import { type BookedReturn, changed, type DepositChange, type DepositRecord, leftMinor } from './deposit-record.js';
import { chargeReferenceOf, isReturnReference, returnReferenceOf } from '../identifiers.js';
import { feeDiffers } from '../provider-fees.js';
import { comparedReturns, isSettling, partOf, type ReturnConclusion } from './returns.js';
import { evaluatePayment } from '../rules/engine.js';
import { defaultRuleSet } from '../rules/rule-set.js';
import { thresholdsOf } from '../rules/thresholds.js';
import type { PaymentVerdict } from '../rules/verdicts.js';

/** A return of a payment, or of a part of it, as the provider reports it. */
export interface ReversalFinding {
  readonly kind: 'refund' | 'chargeback';
  readonly amountMinor: bigint;
  /** The gateway's reference of a return that it requested, or the provider's id. Unique within the payment. */
  readonly reference: string;
  /** Its id in PIX (`D…`), if the provider reports one besides. */
  readonly returnId?: string;
  /** Only `done` has moved money. */
  readonly state: 'pending' | 'done' | 'refused';
  /** When it was done or, before that, requested. */
  readonly at: string;
}

/** A received payment, without personal data except sealed. */
export interface PaymentFinding {
  readonly endToEndId: string;
  readonly amountMinor: bigint;
  readonly paidAt: string;
  readonly payerMatch: 'match' | 'mismatch' | 'unknown';
  /** Sealed DepositPayer. */
  readonly sealedPayer: string;
  /** The provider's fee for it; `null` if it is zero or not reported. */
  readonly feeMinor: bigint | null;
  readonly reversals: readonly ReversalFinding[];
}

export interface ChargeFindings {
  readonly status: 'open' | 'paid' | 'removed' | 'not_found';
  readonly payments: readonly PaymentFinding[];
}

/** The rules' answer about a payment. `invalid`: it does not have the agreed shape. */
export type PaymentAnswer =
  | { readonly kind: 'verdict'; readonly verdict: PaymentVerdict }
  | { readonly kind: 'silent' | 'invalid' };

/** Changes are stored one after another. Alerts change nothing in the deposit. */
export interface Consequences {
  readonly changes: readonly DepositChange[];
  readonly alerts: readonly AlertNote[];
}

/** The payment that the rules must assess before anything is stored; `null` if there is none. */
export function paymentToAssess({ snapshot }: DepositRecord, { payments }: ChargeFindings): PaymentFinding | null {
  return snapshot.status === 'pending' ? (payments[0] ?? null) : null;
}

/**
 * What follows from the findings. Known payments and reversals change nothing. `answer` is the rules' answer about
 * `paymentToAssess`. `conclusion`: what people concluded of a requested return. It counts after what the provider says.
 */
export function consequencesOf(
  record: DepositRecord,
  findings: ChargeFindings,
  answer: PaymentAnswer,
  at: string,
  conclusion: ReturnConclusion | null = null,
): Consequences {
  const changes: DepositChange[] = [];
  const alerts: AlertNote[] = [];
  let current = record;
  const follow = ({ change, alerts: raised }: Following) => {
    alerts.push(...raised);
    if (change === null) return;
    changes.push(change);
    current = changed(current, change, at);
  };
  for (const payment of findings.payments) {
    follow(
      isKnown(current, payment)
        ? laterFee(current, payment)
        : { change: withFee(paymentChange(current.snapshot, payment, answer, at), payment), alerts: [] },
    );
    if (isKnown(current, payment)) for (const next of returnSteps(current, payment)) follow(next(current));
  }
  const isRemoved = findings.status === 'removed' && findings.payments.length === 0;
  if (isRemoved && current.snapshot.status === 'pending')
    follow({ change: { trigger: 'charge_removed', fields: { failureCode: 'psp_removed' } }, alerts: [] });
  const { returnRequest } = current;
  if (conclusion !== null && returnRequest?.actId === conclusion.returnActId && isSettling(conclusion, at))
    follow({ change: returnConcluded(current, returnRequest, conclusion), alerts: [] });
  return { changes, alerts };
}

/** The change by a payment, with the fee that was reported with it. */
function withFee(change: DepositChange | null, { endToEndId, feeMinor }: PaymentFinding): DepositChange | null {
  if (change === null || feeMinor === null) return change;
  return { ...change, fee: { of: endToEndId, amountMinor: feeMinor } };
}

/** The fee of a known payment is recorded once. A different fee later changes nothing. */
function laterFee({ snapshot: { id }, fees }: DepositRecord, { endToEndId, feeMinor }: PaymentFinding): Following {
  const noted = fees[endToEndId];
  if (feeMinor === null || feeMinor === noted) return UNCHANGED;
  return noted === undefined
    ? { change: { trigger: null, fee: { of: endToEndId, amountMinor: feeMinor } }, alerts: [] }
    : { change: null, alerts: [feeDiffers(id, endToEndId, noted, feeMinor)] };
}

function isKnown({ snapshot, extraPayments }: DepositRecord, { endToEndId }: PaymentFinding): boolean {
  return endToEndId === snapshot.endToEndId || extraPayments.includes(endToEndId);
}

function paymentChange(
  deposit: DepositSnapshot,
  payment: PaymentFinding,
  answer: PaymentAnswer,
  at: string,
): DepositChange | null {
  switch (deposit.status) {
    case 'created':
      // The charge is not stored yet. The next look-up finds the payment.
      return null;
    case 'pending':
      return settlement(deposit, payment, answer, at);
    case 'expired':
    case 'cancelled':
    case 'failed':
      return deposit.endToEndId === null ? latePayment(deposit, payment) : extraPayment(deposit, payment);
    case 'under_review':
    case 'paid':
    case 'returned':
    case 'refunded':
    case 'chargeback':
      return extraPayment(deposit, payment);
  }
}

/** pending → paid, or → under_review with every reason. */
function settlement(
  deposit: DepositSnapshot,
  payment: PaymentFinding,
  answer: PaymentAnswer,
  at: string,
): DepositChange {
  const reviewReasons = doubts(deposit, payment, answer, at);
  const { amountMinor: paidAmountMinor, paidAt, endToEndId, sealedPayer } = payment;
  const paid = { paidAmountMinor, paidAt, endToEndId };
  return reviewReasons.length === 0
    ? { trigger: 'payment_matched', fields: paid, sealedPayer }
    : { trigger: 'payment_in_doubt', fields: { ...paid, reviewReasons }, sealedPayer };
}

/** The checks that no rule set can switch off. */
const ALWAYS: readonly DepositReviewReason[] = ['AMOUNT_MISMATCH', 'PAID_AFTER_EXPIRY'];

function doubts(
  deposit: DepositSnapshot,
  payment: PaymentFinding,
  answer: PaymentAnswer,
  at: string,
): readonly DepositReviewReason[] {
  const own = contradictions(deposit, payment, at);
  switch (answer.kind) {
    case 'silent':
      return inOrder([...own, 'RULES_UNAVAILABLE']);
    case 'invalid':
      return inOrder([...own, 'RULES_INVALID_RESPONSE']);
    case 'verdict': {
      const binding = own.filter((reason) => ALWAYS.includes(reason));
      if (answer.verdict.kind === 'review') return inOrder([...answer.verdict.reasons, ...binding]);
      // Crediting another amount, or a payment after expiry, is no valid answer.
      return binding.length === 0 ? [] : inOrder([...own, 'RULES_INVALID_RESPONSE']);
    }
  }
}

/** The default rules, with the payer's check on. */
const STRICT = { ...thresholdsOf(defaultRuleSet(1), 'BRL'), requirePayerMatchesPlayer: true };

/** The reasons against crediting the payment that follow from the deposit and the provider's report. */
function contradictions(
  { amountMinor, expiresAt }: DepositSnapshot,
  { amountMinor: paidAmountMinor, paidAt, payerMatch: payer }: PaymentFinding,
  at: string,
): readonly DepositReviewReason[] {
  const charged = { chargedAmountMinor: amountMinor, expiresAt };
  const facts = { ...charged, at, paidAt, paidAmountMinor, payer, payerBlocked: false, playerBlocked: false };
  const { outcome } = evaluatePayment(facts, STRICT);
  return outcome.kind === 'review' ? outcome.reasons : [];
}

/** Each reason once, in the specification's order; codes that are not in it come last. */
function inOrder(reasons: readonly DepositReviewReason[]): readonly DepositReviewReason[] {
  const known = DEPOSIT_REVIEW_REASONS.filter((reason) => reasons.includes(reason));
  return [...new Set([...known, ...reasons])];
}

/** A payment of an ended deposit. The state does not change; the money goes to `suspense`. */
function latePayment(deposit: DepositSnapshot, payment: PaymentFinding): DepositChange {
  const { id, status } = deposit;
  const { amountMinor, paidAt, endToEndId, sealedPayer } = payment;
  return {
    trigger: null,
    fields: { paidAmountMinor: amountMinor, paidAt, endToEndId, latePayment: true },
    sealedPayer,
    suspense: { of: endToEndId, amountMinor, paidAt, sealedPayer },
    alert: isUnseenInTime(deposit, payment)
      ? { ...alertOf('PAID_IN_TIME', 'paid', { payment: id, at: paidAt }), occasion: endToEndId }
      : { ...alertOf('LATE_PAYMENT', 'paid', { payment: id, status }), occasion: endToEndId },
  };
}

/** Whether it came before the term ended, and the deposit expired because the provider did not say so. */
function isUnseenInTime({ status, expiresAt, updatedAt }: DepositSnapshot, { paidAt }: PaymentFinding): boolean {
  // In the sandbox a deposit can be made to expire before its term ends.
  const hasRunOut = status === 'expired' && Date.parse(updatedAt) >= Date.parse(expiresAt);
  return hasRunOut && Date.parse(paidAt) <= Date.parse(expiresAt);
}

/** Another payment on the charge. The money goes to `suspense` and is not credited. */
function extraPayment(
  { id, status }: DepositSnapshot,
  { amountMinor, endToEndId, paidAt, sealedPayer }: PaymentFinding,
): DepositChange {
  const alert = alertOf('EXTRA_PAYMENT', 'paid', { payment: id, bankId: endToEndId, status });
  return {
    trigger: null,
    extraPayment: endToEndId,
    suspense: { of: endToEndId, amountMinor, paidAt, sealedPayer },
    alert: { ...alert, occasion: endToEndId },
  };
}

/** What follows from one part of the report. */
interface Following {
  readonly change: DepositChange | null;
  readonly alerts: readonly AlertNote[];
}
const UNCHANGED: Following = { change: null, alerts: [] };

/** What follows of one thing in the report, from the deposit as the things before it left it. */
type ReturnStep = (record: DepositRecord) => Following;

/**
 * What follows from the returns of one payment: each part is booked once, when it is first reported, and the last part
 * of the deposit's own payment ends it.
 */
function returnSteps(record: DepositRecord, payment: PaymentFinding): readonly ReturnStep[] {
  const { snapshot, returnedParts, isReturnInDoubt } = record;
  const { endToEndId, reversals } = payment;
  const done = distinct(reversals.filter(({ state }) => state === 'done'));
  const known = returnedParts.filter(({ of }) => of === endToEndId);
  const { added, differing, confirmed } = comparedReturns(known, done);
  const isOwn = endToEndId === snapshot.endToEndId;
  const wholeMinor = isOwn ? paidMinor(snapshot) : payment.amountMinor;
  const sum = returnedMinor(known, endToEndId) + sumOf(added);
  const ours = (reversal: ReversalFinding) => isOurs(snapshot, reversal);
  const book =
    (reversal: ReversalFinding): ReturnStep =>
    (now) =>
      partReturned(now, payment, reversal, done);
  const steps: ReturnStep[] = [
    () => ({ change: null, alerts: differing.map((reversal) => amountDiffers(snapshot, reversal)) }),
    ...confirmed.map((change): ReturnStep => () => ({ change: { trigger: null, confirmed: change }, alerts: [] })),
  ];
  if (sum > wholeMinor)
    return [...steps, (now) => tooMuchReturned(now, { sum, wholeMinor, isOwn, payment, ours: added.find(ours) })];
  if (isOwn && isReturnInDoubt) steps.push(() => ({ change: { trigger: null, isReturnInDoubt: false }, alerts: [] }));
  // Ours is last, so that the person who requested it is named when it ends the deposit.
  steps.push(...added.toSorted((one, other) => Number(ours(one)) - Number(ours(other))).map(book));
  return [...steps, (now) => notPerformed(now, payment)];
}

function isOurs({ id }: DepositSnapshot, { reference }: ReversalFinding): boolean {
  return isReturnReference(chargeReferenceOf(id), reference);
}

/** A part of a payment went back: by the return that people asked for, or otherwise. */
function partReturned(
  record: DepositRecord,
  payment: PaymentFinding,
  reversal: ReversalFinding,
  done: readonly ReversalFinding[],
): Following {
  const { snapshot, returnRequest } = record;
  const isOwn = payment.endToEndId === snapshot.endToEndId;
  const isInSuspense = !isOwn || ownPaymentIsInSuspense(snapshot);
  const returned = isInSuspense ? leavingSuspense(record, payment, reversal) : bookedReturn(payment, reversal);
  const isItOurs = isOurs(snapshot, reversal);
  if (isItOurs && returnRequest?.of === payment.endToEndId)
    return { change: returnDone(record, returnRequest, returned), alerts: [] };
  const change = isOwn ? ownReturn(record, reversal, returned, done) : suspenseReturn(snapshot, reversal, returned);
  return { change, alerts: isItOurs ? [doneAfterAll(snapshot, reversal)] : [] };
}

/** The deposit's own money has gone back without us: by MED, in the provider's panel, or by a return that was over. */
function ownReturn(
  record: DepositRecord,
  reversal: ReversalFinding,
  returned: BookedReturn,
  done: readonly ReversalFinding[],
): DepositChange {
  const { snapshot } = record;
  const isUnderReview = snapshot.status === 'under_review';
  const isLast = leftMinor(record) === reversal.amountMinor;
  if (isLast && isUnderReview) return { trigger: 'return', returned };
  if (isLast && snapshot.status === 'paid') return { trigger: kindOf(done), returned };
  const alert =
    isUnderReview || snapshot.status === 'paid'
      ? partialReversal(snapshot, reversal)
      : reversalOutsidePaid(snapshot, reversal, returned);
  return { trigger: null, returned, alert };
}

/** An extra payment, or a part of it, went back: nobody enters that by hand. */
function suspenseReturn({ id }: DepositSnapshot, reversal: ReversalFinding, returned: BookedReturn): DepositChange {
  const values = { payment: id, reversal: reversal.kind, bankId: returned.of, recalledCentavos: recalled(returned) };
  const alert = alertOf('REVERSAL_OUTSIDE_PAID', 'other', values);
  return { trigger: null, returned, alert: { ...alert, occasion: reversal.reference } };
}

function ownPaymentIsInSuspense({ status }: DepositSnapshot): boolean {
  return status === 'expired' || status === 'cancelled' || status === 'failed';
}

/** What suspense no longer has, because people gave it to the cash box, comes back from there. */
function leavingSuspense(
  { returnedParts, suspenseCredits }: DepositRecord,
  payment: PaymentFinding,
  reversal: ReversalFinding,
): BookedReturn {
  const { endToEndId: of, amountMinor } = payment;
  const left = amountMinor - returnedMinor(returnedParts, of) - (suspenseCredits[of] ?? 0n);
  const missing = reversal.amountMinor - left;
  const recalled = missing > 0n ? { recalledMinor: missing } : {};
  return { ...bookedReturn(payment, reversal), ...recalled };
}

function bookedReturn({ endToEndId: of }: PaymentFinding, reversal: ReversalFinding): BookedReturn {
  const { kind, at } = reversal;
  return { ...partOf(of, reversal), kind, at, saidBy: 'provider' };
}

/** The provider reports the requested return as not performed, or contradicts what people concluded. */
function notPerformed(record: DepositRecord, { endToEndId, reversals }: PaymentFinding): Following {
  const { snapshot, returnRequest } = record;
  if (!isLatestRefused(record, reversals)) return UNCHANGED;
  if (returnRequest?.of === endToEndId)
    return { change: returnRefused(record, returnRequest, RETURN_NOT_PERFORMED), alerts: [] };
  const isConcluded =
    snapshot.endToEndId === endToEndId &&
    snapshot.status === 'returned' &&
    snapshot.decidedBy.some(({ decision }) => decision === 'return');
  const isOursDone = reversals.some((reversal) => reversal.state === 'done' && isOurs(snapshot, reversal));
  return isConcluded && !isOursDone ? { change: null, alerts: [refusedAfterAll(snapshot)] } : UNCHANGED;
}

/** The code of a return that the provider reports as not performed. */
export const RETURN_NOT_PERFORMED = 'return_not_performed';

/** Whether the provider reports the latest requested return as not performed. An earlier one may be. */
function isLatestRefused({ snapshot, returns }: DepositRecord, reversals: readonly ReversalFinding[]): boolean {
  const latest = returnReferenceOf(snapshot.id, returns);
  return reversals.some(({ reference, state }) => reference === latest && state === 'refused');
}

/** The provider made a return that it had refused, or that people had concluded as never made. */
function doneAfterAll({ id, status }: DepositSnapshot, { reference }: ReversalFinding): AlertNote {
  return { ...alertOf('RETURN_CONTRADICTION', 'done', { payment: id, status }), occasion: `done ${reference}` };
}

/** People concluded that it is done, and the provider reports that it was not performed. */
function refusedAfterAll({ id }: DepositSnapshot): AlertNote {
  return { ...alertOf('RETURN_CONTRADICTION', 'not_done', { payment: id }), occasion: 'not performed' };
}

function distinct(reversals: readonly ReversalFinding[]): readonly ReversalFinding[] {
  return [...new Map(reversals.map((reversal) => [reversal.reference, reversal])).values()];
}

function paidMinor({ paidAmountMinor, amountMinor }: DepositSnapshot): bigint {
  return paidAmountMinor ?? amountMinor;
}

/** A return that is in the books has another amount now. */
function amountDiffers({ id }: DepositSnapshot, { reference, amountMinor }: ReversalFinding): AlertNote {
  const alert = alertOf('RETURN_CONTRADICTION', 'amount', { payment: id, centavos: amountMinor });
  return { ...alert, occasion: `amount ${reference} ${amountMinor}` };
}

interface TooMuch {
  readonly sum: bigint;
  readonly wholeMinor: bigint;
  readonly isOwn: boolean;
  readonly payment: PaymentFinding;
  /** Our own return, if it is reported as done and not in the books. */
  readonly ours: ReversalFinding | undefined;
}

/**
 * No payment can go back more than once, so it is not known what of the report is true. Only the return that a person
 * requested is certain: it has its own reference. Under review nothing can be credited or returned until a report makes
 * sense.
 */
function tooMuchReturned(record: DepositRecord, { sum, wholeMinor, isOwn, payment, ours }: TooMuch): Following {
  const { snapshot, returnRequest, isReturnInDoubt } = record;
  const values = { payment: snapshot.id, centavos: sum, wholeCentavos: wholeMinor };
  const alerts: AlertNote[] = [{ ...alertOf('REVERSAL_ABOVE_PAYMENT', 'sum', values), occasion: `above ${sum}` }];
  if (!isOwn || snapshot.status !== 'under_review') return { change: null, alerts };
  if (returnRequest?.of === payment.endToEndId && ours !== undefined)
    return { change: returnDone(record, returnRequest, bookedReturn(payment, ours)), alerts };
  return { change: isReturnInDoubt ? null : { trigger: null, isReturnInDoubt: true }, alerts };
}

function sumOf(reversals: readonly ReversalFinding[]): bigint {
  return reversals.reduce((total, { amountMinor }) => total + amountMinor, 0n);
}

function kindOf(done: readonly ReversalFinding[]): ReversalFinding['kind'] {
  return done.some(({ kind }) => kind === 'chargeback') ? 'chargeback' : 'refund';
}

function partialReversal({ id }: DepositSnapshot, { kind, reference }: ReversalFinding): AlertNote {
  return { ...alertOf('PARTIAL_REVERSAL', 'part', { payment: id, reversal: kind }), occasion: reference };
}

function reversalOutsidePaid(
  { id, status }: DepositSnapshot,
  { kind, reference }: ReversalFinding,
  returned: BookedReturn,
): AlertNote {
  const values = { payment: id, reversal: kind, status, recalledCentavos: recalled(returned) };
  return { ...alertOf('REVERSAL_OUTSIDE_PAID', 'own', values), occasion: reference };
}

/** What of it came out of the cash box again. */
function recalled({ recalledMinor }: BookedReturn): bigint | null {
  return recalledMinor ?? null;
}
