// What the provider says happened on a charge, applied by rule: in any order, repeated, late or too much.
import type { Examination, PaymentFinding } from '../../activities/types.js';
import { type DepositReviewReason, LATE_PAYMENT_STATUSES } from '../../domain/deposit.js';
import { chargeReferenceOf } from '../../domain/identifiers.js';
import { formatBrl } from '../../domain/money.js';
import { isPaymentVerdict, type PaymentVerdict } from '../../domain/rules/verdicts.js';
import { rules, store } from '../steps/activity-proxies.js';
import { alertNote } from '../steps/alert-note.js';
import { now } from '../steps/clock.js';
import { askRules } from '../steps/rules-answer.js';
import { chargeQuestion } from './examination.js';
import type { DepositRecord } from './record.js';

/** Applies every payment and reversal of a look-up; what is known already changes nothing. */
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
  const isLate = (LATE_PAYMENT_STATUSES as readonly string[]).includes(status);
  if (isLate && endToEndId === null) return recordLatePayment(record, payment);
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
      // Another amount must be among the reasons, whoever forgets it: it can only go back in full.
      if (answer.verdict.kind === 'review')
        return amountDiffers
          ? [...new Set([...answer.verdict.reasons, 'AMOUNT_MISMATCH' as const])]
          : [...answer.verdict.reasons];
      // No verdict can credit another amount than was charged.
      return amountDiffers ? ['AMOUNT_MISMATCH', 'RULES_INVALID_RESPONSE'] : [];
  }
}

/** Rule 1: after the end a payment changes no state. It is stored, kept in suspense, flagged and reported. */
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

/** A second payment on the same charge: kept in suspense, credited to nobody. The transfer's id keeps it to once. */
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
    if (record.deposit.status === 'refunded' || record.deposit.status === 'chargeback') continue;
    if (record.deposit.status !== 'paid')
      await warn(
        record,
        'REVERSAL_OUTSIDE_PAID',
        `${record.deposit.id}: ${reversal.kind} while ${record.deposit.status}`,
        reversal.reference,
      );
    else if (reversal.amountMinor !== record.deposit.amountMinor)
      await warn(record, 'PARTIAL_REVERSAL', `${record.deposit.id}: ${reversal.kind} of a part`, reversal.reference);
    else await record.move(reversal.kind, {});
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
