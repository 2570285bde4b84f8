// The contract of the deposit workflow: its name and input, and its updates, signals and query.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { DepositSnapshot } from '../../domain/payments/deposit.js';
import type { DepositRefusal } from '../../domain/rules/refusals.js';
import type {
  ActOutcome,
  PaymentCreation,
  PaymentOrder,
  PaymentWorkflowInput,
  Review,
  StaffCancel,
} from './payment.js';
import type { Vouched } from './payment-steps.js';

export const DEPOSIT_WORKFLOW = 'deposit';

export interface DepositOrder extends PaymentOrder {
  readonly expiresInSeconds: number;
}

/** The order as the row keeps it. */
export type StoredDepositOrder = Omit<DepositOrder, 'proof'>;

export type DepositWorkflowInput = PaymentWorkflowInput<DepositOrder>;

/** Created, it is `pending` or `failed`; `created` when the provider takes longer than the answer budget (202). */
export type DepositCreation = PaymentCreation<DepositSnapshot, DepositRefusal>;

/** The result of a run: the deposit's status, or why no deposit exists. */
export type DepositEnd = string | Exclude<DepositCreation, { readonly kind: 'created' }>;

/**
 * `returning`: the return is stored and under way, and the provider has not finished it. `provider_silent`: the
 * provider did not answer the look-up before the approval.
 */
export type DepositActionOutcome = ActOutcome<DepositSnapshot, 'returning' | 'provider_silent'>;

export type DepositReview = Review<'approve' | 'return'>;

/** The failure type of a step about a deposit that has no row. */
export const DEPOSIT_MISSING = 'DepositMissing';

/** An update, because the caller waits for the outcome of the creation. */
export const depositCreation = defineUpdate<DepositCreation>('creation');
/** An update, because the caller needs to know whether the cancel came in time. */
export const cancelDeposit = defineUpdate<DepositActionOutcome>('cancel');
/** An update of its own, because a person's cancel needs the person's act, and an operator's needs none. */
export const cancelDepositByStaff = defineUpdate<DepositActionOutcome, [StaffCancel]>('cancelByStaff');
/** An update, because the person needs to know whether the decision counted. */
export const reviewDeposit = defineUpdate<DepositActionOutcome, [DepositReview]>('review');
/** An update, because the sandbox caller reads the result. */
export const expireDeposit = defineUpdate<DepositActionOutcome>('expire');
/**
 * An update: looks the charge up at the provider, applies its payments and reversals, and returns the deposit. The
 * sandbox's `pay`, `refund` and `chargeback` use it.
 */
export const refreshDeposit = defineUpdate<DepositSnapshot>('refresh');
/** A signal, because no caller waits: a provider callback is recorded at once and applied by the state table. */
export const chargeNotice = defineSignal('chargeNotice');
/** A query, because reads must not change the history. Null until the deposit exists. */
export const depositQuery = defineQuery<Vouched<DepositSnapshot> | null>('deposit');
