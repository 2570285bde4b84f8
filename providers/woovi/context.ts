// What every call to one Woovi account needs, and the small helpers that all outcomes share.
import type { z } from 'zod';
import { type HttpAnswer, inconclusive } from '../common/http.js';
import { unknown, unreadable, unusable } from '../common/answers.js';
import type { Unknown } from '../port.js';
import type { WooviClient } from './client.js';
import type { WooviConfig } from './config.js';

export interface WooviContext {
  readonly client: WooviClient;
  readonly config: WooviConfig;
  /** The time limit of one call of the port, however many requests it takes. */
  readonly callTimeoutMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The part of an answer that does not fit. What only needs time is not among them. */
const FIELD_OF_PROBLEM: Readonly<Record<string, string>> = {
  unreadable_answer: 'refunds',
  duplicate_payment: 'transactions',
  payment_of_another_charge: 'transactions.charge.correlationID',
  payment_without_a_state: 'transactions.status',
  payment_without_end_to_end_id: 'transactions.endToEndId',
  duplicate_return: 'refunds',
  unknown_return_state: 'refunds.status',
  return_of_one_of_several_payments: 'refunds',
  return_without_an_id: 'transactions.endToEndId',
  return_without_a_state: 'transactions.status',
  unknown_transaction_state: 'transactions.status',
  returned_more_than_sent: 'transactions.value',
  returned_without_an_amount: 'transactions.value',
  answer_of_another_dispute: 'dispute.endToEndId',
  unknown_dispute_state: 'dispute.status',
  unknown_payout_state: 'payment.status',
  paid_without_end_to_end_id: 'transaction.endToEndId',
  denied_with_a_transaction: 'payment.status',
};

/** The outcome of an answer that contradicts itself, or has what no table has. */
export function unclear(problem: string): Unknown {
  return Object.hasOwn(FIELD_OF_PROBLEM, problem) ? unusable(problem, FIELD_OF_PROBLEM[problem]!) : unknown(problem);
}

/** Counts one budget down over several requests. */
export function left(budgetMs: number): () => number {
  const startedAtMs = performance.now();
  return () => Math.max(0, Math.floor(budgetMs - (performance.now() - startedAtMs)));
}

/** Why an answer that was not read decides nothing. */
export function reasonOf(answer: HttpAnswer): string {
  return isFine(answer) ? 'unreadable_answer' : inconclusive(answer);
}

/** The same as an outcome, with the field that could not be read. */
export function unread(schema: z.ZodType, answer: HttpAnswer): Unknown {
  const read = isFine(answer) ? schema.safeParse(answer.body) : null;
  return read?.success === false ? unreadable(read.error) : unknown(reasonOf(answer));
}

function isFine(answer: HttpAnswer): answer is Extract<HttpAnswer, { kind: 'answered' }> {
  return answer.kind === 'answered' && (answer.status === 200 || answer.status === 201);
}
