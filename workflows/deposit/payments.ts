// Applies what the provider reports about a charge: payments and reversals, in any order, repeated, late or too large.
import type { Examination, PaymentFinding } from '../../activities/types.js';
import { type DepositReviewReason, isLatePayment } from '../../domain/deposit.js';
import { chargeReferenceOf } from '../../domain/identifiers.js';
import { formatBrl } from '../../domain/money.js';
import { isPaymentVerdict, type PaymentVerdict } from '../../domain/rules/verdicts.js';
import { rules, store } from '../steps/activity-proxies.js';
import { alertNote } from '../steps/alert-note.js';
import { now } from '../steps/clock.js';
import { askRules } from '../steps/rules-answer.js';
import { chargeQuestion } from './examination.js';
import type { DepositRecord } from './record.js';

/** Applies every payment and reversal of a look-up. Known ones change nothing. */
export async function applyExamination(record: DepositRecord, { findings, assessed }: Examination): Promise<void> {
  for (const payment of findings.payments) {
    if (payment.endToEndId !== record.deposit.endToEndId) await applyPayment(record, payment, assessed);
    await applyReversals(record, payment);
  }
  if (findings.status === 'removed' && findings.payments.length === 0 && record.deposit.status === 'pending') {
    await record.move('charge_removed', { failureCode: 'psp_removed' });
  }
}

async function applyPayment(
  record: DepositRecord,
  payment: PaymentFinding,
  assessed: Examination['assessed'],
): Promise<void> {
  const { status, endToEndId } = record.deposit;
  if (status === 'pending') return settlePayment(record, payment, assessed);
  if (isLatePayment(status) && endToEndId === null) return recordLatePayment(record, payment);
  return recordExtraPayment(record, payment);
}

/** pending → paid, or → under_review with every reason. */
async function settlePayment(
  record: DepositRecord,
  payment: PaymentFinding,
  assessed: Examination['assessed'],
): Promise<void> {
  const reasons = await paymentReasons(record, payment, assessed);
  const paid = { paidAmountMinor: payment.amountMinor, paidAt: payment.paidAt, endToEndId: payment.endToEndId };
  const { sealedPayer } = payment;
  if (reasons.length === 0) {
    await record.move('payment_matched', paid, { sealedPayer });
  } else {
    await record.move('payment_in_doubt', { ...paid, reviewReasons: reasons }, { sealedPayer });
  }
}

async function assessPayment(record: DepositRecord, payment: PaymentFinding): Promise<PaymentVerdict> {
  const { amountMinor: paidAmountMinor, paidAt, payerMatch, sealedPayer } = payment;
  const question = { ...chargeQuestion(record), paidAmountMinor, paidAt, payerMatch, sealedPayer };
  return rules.assessPayment(`assess the payment of ${formatBrl(BigInt(paidAmountMinor))}`, question);
}

async function paymentReasons(
  record: DepositRecord,
  payment: PaymentFinding,
  assessed: Examination['assessed'],
): Promise<DepositReviewReason[]> {
  const { deposit } = record;
  const isAssessed = assessed?.endToEndId === payment.endToEndId;
  const answer = await askRules(
    async () => (isAssessed ? assessed.verdict : assessPayment(record, payment)),
    isPaymentVerdict,
  );
  const amountDiffers = payment.amountMinor !== deposit.amountMinor;
  switch (answer.kind) {
    case 'unavailable':
      return amountDiffers ? ['AMOUNT_MISMATCH', 'RULES_UNAVAILABLE'] : ['RULES_UNAVAILABLE'];
    case 'invalid':
      return amountDiffers ? ['AMOUNT_MISMATCH', 'RULES_INVALID_RESPONSE'] : ['RULES_INVALID_RESPONSE'];
    case 'verdict':
      // A differing amount is always among the reasons: it can only be returned in full.
      if (answer.verdict.kind === 'review')
        return amountDiffers
          ? [...new Set([...answer.verdict.reasons, 'AMOUNT_MISMATCH' as const])]
          : [...answer.verdict.reasons];
      // A verdict that credits a differing amount is invalid.
      return amountDiffers ? ['AMOUNT_MISMATCH', 'RULES_INVALID_RESPONSE'] : [];
  }
}

/** Stores a payment of an ended deposit. The state stays; the money goes to `suspense` and an alert is raised. */
async function recordLatePayment(record: DepositRecord, payment: PaymentFinding): Promise<void> {
  const { id, status } = record.deposit;
  await record.note(
    { paidAmountMinor: payment.amountMinor, paidAt: payment.paidAt, endToEndId: payment.endToEndId, latePayment: true },
    {
      sealedPayer: payment.sealedPayer,
      alert: { kind: 'LATE_PAYMENT', detail: `${id}: paid while ${status}`, occasion: payment.endToEndId },
    },
    { name: 'late_payment_received', amountMinor: payment.amountMinor, transferId: `${id}:late:${payment.endToEndId}` },
  );
}

/**
 * Stores a second payment on a charge: the money goes to `suspense` and is credited to nobody, once per transfer id.
 */
async function recordExtraPayment(record: DepositRecord, payment: PaymentFinding): Promise<void> {
  const { id, status } = record.deposit;
  await record.note(
    {},
    {
      alert: {
        kind: 'EXTRA_PAYMENT',
        detail: `${id}: another payment (${payment.endToEndId}) while ${status}`,
        occasion: payment.endToEndId,
      },
    },
    {
      name: 'late_payment_received',
      amountMinor: payment.amountMinor,
      transferId: `${id}:extra:${payment.endToEndId}`,
    },
  );
}

async function applyReversals(record: DepositRecord, payment: PaymentFinding): Promise<void> {
  if (payment.endToEndId !== record.deposit.endToEndId) return;
  for (const reversal of payment.reversals) {
    const isOurReturn = reversal.reference === chargeReferenceOf(record.deposit.id);
    if (!reversal.done || isOurReturn) continue;
    await applyReversal(record, reversal);
  }
}

async function applyReversal(record: DepositRecord, reversal: PaymentFinding['reversals'][number]): Promise<void> {
  const { id, status, amountMinor } = record.deposit;
  const { kind, reference } = reversal;
  switch (status) {
    case 'refunded':
    case 'chargeback':
      return;
    case 'paid':
      if (reversal.amountMinor !== amountMinor)
        return warn(record, 'PARTIAL_REVERSAL', `${id}: ${kind} of a part`, reference);
      return record.move(kind, {});
    case 'created':
    case 'pending':
    case 'under_review':
    case 'expired':
    case 'cancelled':
    case 'failed':
    case 'returned':
      return warn(record, 'REVERSAL_OUTSIDE_PAID', `${id}: ${kind} while ${status}`, reference);
  }
}

async function warn(
  record: DepositRecord,
  kind: 'REVERSAL_OUTSIDE_PAID' | 'PARTIAL_REVERSAL',
  detail: string,
  occasion: string,
): Promise<void> {
  const { id: objectId, operationId } = record.deposit;
  await store.raiseAlert({ ...alertNote(kind, detail, occasion), operationId, objectId, at: now() });
}
