// Looks at a charge: what the provider knows of it and, where a payment is awaited, what the rules say of it in the same trip.
import { ActivityFailure, isCancellation } from '@temporalio/workflow';
import type { Examination } from '../../activities/types.js';
import type { ChargeQuestion } from '../../contract/temporal/rule-questions.js';
import { type CallLimit, examination, provider } from '../steps/activity-proxies.js';
import { askUntilAnswered } from '../steps/asking.js';
import { now } from '../steps/clock.js';
import type { DepositRecord } from './record.js';

/** Asks until the provider answers; `unanswered` hears of it when that takes long. */
export async function examineCharge(record: DepositRecord, unanswered: (error: string) => void): Promise<Examination> {
  const { order } = record;
  if (record.deposit.status === 'pending') {
    const question = { order, charge: chargeQuestion(record) };
    try {
      const answer: unknown = await examination.examineCharge('look the charge up, assess its payment', question);
      // Nonsense counts for nothing: the provider is asked by itself, and what the rules say then is judged where they are asked.
      if (isExamination(answer)) return answer;
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    }
  }
  // Asked until the answer is conclusive; the rules are asked when a payment is to be judged.
  const ask = (limit: CallLimit) => provider.lookUpCharge('look the charge up', { order }, limit);
  const findings = await askUntilAnswered(ask, unanswered);
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

/** The charge that a payment is judged against. */
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
