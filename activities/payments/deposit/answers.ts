// What the steps of a deposit answer, and what they ask the provider.
import type { StoredDepositOrder } from '../../../contract/temporal/payment.js';
import type { PaymentRef } from '../../../contract/temporal/payment-steps.js';
import type { KnownSpan } from '../../../domain/provider-clock.js';
import type { DepositRow } from '../../../store/payments/deposit/read.js';
import type { StoredDeposit } from './types.js';

/** The version of a deposit that the provider's answer leads to: `pending`, with instructions, or `failed`. */
const INSTRUCTED_VERSION = 2;

/** The part of a step's answer that the process adopts. The names of the people who decided stay in the row. */
export function answerOf({ record: { snapshot, returnRequest, revision } }: DepositRow): StoredDeposit {
  const told = { ...snapshot, decidedBy: [] };
  return { state: { snapshot: told, proof: null, isReturning: returnRequest !== null, revision } };
}

/**
 * The same answer without the instructions, for a process that has them already: with a PNG they are most of a
 * history's size.
 */
export function withoutHeldInstructions<Answer extends StoredDeposit>(
  answer: Answer,
  { seenVersion }: Pick<PaymentRef, 'seenVersion'>,
): Answer {
  if (seenVersion < INSTRUCTED_VERSION) return answer;
  const { state } = answer;
  return { ...answer, state: { ...state, snapshot: { ...state.snapshot, instructions: null } } };
}

/** What the provider is asked about a stored deposit, and what its times are compared with. */
export function questionOf({ record, order }: DepositRow, at: string): { order: StoredDepositOrder; span: KnownSpan } {
  return { order, span: { since: record.snapshot.createdAt, at } };
}
