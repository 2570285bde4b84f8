// Maps Woovi's states. A state that is not in a table is `unknown`, never a guess. The document and the prose differ in
// places (`APPROVED` and `REJECTED` are in the prose only; `type` and `status` of a transaction are interchanged in the
// document): the tables contain the states of both.
import type { Reversal } from '../port.js';

export type ChargeState = 'open' | 'paid';

/**
 * The states of a charge. An expired one is not removed: the gateway's clock ends the deposit, and a late payment is
 * still found.
 */
const CHARGE_STATES = { ACTIVE: 'open', EXPIRED: 'open', COMPLETED: 'paid' } as const;

/** `credited`: the money is there, or was before it went back. */
export type TransactionState = 'credited' | 'sent_back' | 'sent_back_in_part' | 'pending' | 'rejected';

const TRANSACTION_STATES = {
  CREATED: 'pending',
  IN_PROCESSING: 'pending',
  CONFIRMED: 'credited',
  REFUNDED: 'sent_back',
  PARTIAL_REFUND: 'sent_back_in_part',
  REJECTED: 'rejected',
  NOT_ACCOMPLISHED: 'rejected',
} as const;

/** `block`: money of the account is held, as during a dispute, or free again. `transfer`: between own accounts. */
export type TransactionKind = 'payment' | 'payout' | 'refund' | 'fee' | 'transfer' | 'block' | 'reversal';

/** The document has the first four as values and all of them as a filter. */
const TRANSACTION_KINDS = {
  PAYMENT: 'payment',
  REFUND: 'refund',
  WITHDRAW: 'payout',
  FEE: 'fee',
  INTERNAL_TRANSFER: 'transfer',
  BALANCE_BLOCK: 'block',
  BALANCE_UNBLOCK: 'block',
  REVERSAL: 'reversal',
} as const;

/** The states of a return. The list of a charge and the single return use different words. */
const REFUND_STATES = {
  CREATED: 'pending',
  IN_PROCESSING: 'pending',
  CONFIRMED: 'done',
  REFUNDED: 'done',
  REJECTED: 'refused',
  NOT_ACCOMPLISHED: 'refused',
} as const;

/** `denied`: a person refused the approval; nothing was sent. */
export type PaymentState = 'processing' | 'paid' | 'failed' | 'denied';

/** `CREATED` waits for an approval, in Woovi's panel or for money. */
const PAYMENT_STATES = {
  CREATED: 'processing',
  APPROVED: 'processing',
  PROCESSING: 'processing',
  CONFIRMED: 'paid',
  FAILED: 'failed',
  REJECTED: 'failed',
  DENIED: 'denied',
} as const;

const DISPUTE_STATUSES = {
  CREATED: 'open',
  OPENED: 'open',
  IN_REVIEW: 'open',
  ACCEPTED: 'accepted',
  REJECTED: 'rejected',
  CANCELED: 'canceled',
} as const;

export const isSentBack = (state: TransactionState | 'unknown' | null): boolean =>
  state === 'sent_back' || state === 'sent_back_in_part';

export const chargeStateOf = reader<ChargeState>(CHARGE_STATES);
export const transactionStateOf = reader<TransactionState>(TRANSACTION_STATES);
export const transactionKindOf = reader<TransactionKind>(TRANSACTION_KINDS);
export const refundStateOf = reader<Reversal['status']>(REFUND_STATES);
export const paymentStateOf = reader<PaymentState>(PAYMENT_STATES);
export const disputeStatusOf = reader<(typeof DISPUTE_STATUSES)[keyof typeof DISPUTE_STATUSES]>(DISPUTE_STATUSES);

function reader<State>(table: Readonly<Record<string, State>>): (word: string) => State | 'unknown' {
  return (word) => (Object.hasOwn(table, word) ? table[word]! : 'unknown');
}
