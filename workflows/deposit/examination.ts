// Looks a charge up at the provider. For a pending deposit the same activity asks the rules about its payment.
import { ActivityFailure, isCancellation } from '@temporalio/workflow';
import type { Examination } from '../../activities/types.js';
import type { ChargeQuestion } from '../../contract/temporal/rule-questions.js';
import { type CallLimit, examination, provider } from '../steps/activity-proxies.js';
import { callUntilAnswered } from '../steps/call-until-answered.js';
import { now } from '../steps/clock.js';
import type { DepositRecord } from './record.js';

/**
 * Looks the charge up until the provider answers. `unanswered` gets the error code of each activity without an answer.
 */
export async function examineCharge(record: DepositRecord, unanswered: (error: string) => void): Promise<Examination> {
  const { order } = record;
  if (record.deposit.status === 'pending') {
    const question = { order, charge: chargeQuestion(record) };
    try {
      const answer: unknown = await examination.examineCharge('look the charge up, assess its payment', question);
      // An answer of another shape is ignored. The provider and the rules are then asked one by one.
      if (isExamination(answer)) return answer;
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    }
  }
  // The rules are asked later, if there is a payment to assess.
  const call = (limit: CallLimit) => provider.lookUpCharge('look the charge up', { order }, limit);
  const findings = await callUntilAnswered(call, unanswered);
  return { findings, assessed: null };
}

function isExamination(answer: unknown): answer is Examination {
  if (!isRecord(answer) || !isRecord(answer['findings'])) return false;
  const { findings, assessed } = answer;
  const { status, payments } = findings;
  const areFindings =
    typeof status === 'string' &&
    Array.isArray(payments) &&
    payments.every((payment) => isRecord(payment) && typeof payment['endToEndId'] === 'string');
  return areFindings && (assessed === null || isRecord(assessed));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The charge that a payment is assessed against. */
export function chargeQuestion({ order, deposit }: DepositRecord): ChargeQuestion {
  const { id: depositId, operationId, playerRef, amountMinor: chargedAmountMinor, expiresAt } = deposit;
  return {
    depositId,
    operationId,
    playerRef,
    environment: order.environment,
    chargedAmountMinor,
    expiresAt,
    at: now(),
  };
}
