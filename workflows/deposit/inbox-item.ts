// Everything that a deposit's loop applies: requests from outside and the results of its own calls.
import type { ChargeResult, Examination, ReturnResult } from '../../activities/types.js';
import type { DepositActionOutcome, DepositReview } from '../../contract/temporal/deposit.js';
import type { DepositSnapshot, ReviewDecision } from '../../domain/deposit.js';
import type { Reply } from '../steps/inbox.js';

export type DepositItem =
  | { readonly kind: 'cancel' | 'expire'; readonly reply: Reply<DepositActionOutcome> }
  | { readonly kind: 'review'; readonly review: DepositReview; readonly reply: Reply<DepositActionOutcome> }
  | RefreshItem
  | { readonly kind: 'charge_result'; readonly result: ChargeResult }
  | ExaminedItem
  | ReturnItem;

/** A request to look the charge up. A provider callback has no reply. */
export interface RefreshItem {
  readonly kind: 'refresh';
  readonly reply: Reply<DepositSnapshot> | null;
}

/** The result of a charge look-up. */
export interface ExaminedItem {
  readonly kind: 'examined';
  readonly examination: Examination;
  readonly replies: readonly Reply<DepositSnapshot>[];
}

/** The final result of a return to the payer, and the decision that asked for it. */
export interface ReturnItem {
  readonly kind: 'return_result';
  readonly result: Exclude<ReturnResult, { readonly kind: 'pending' }>;
  readonly decision: ReviewDecision;
  readonly reply: Reply<DepositActionOutcome>;
}
