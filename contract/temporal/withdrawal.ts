// The contract of the withdrawal workflow: its name and input, and its updates, signals and query.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { WithdrawalRefusal } from '../../domain/rules/refusals.js';
import type { StaffActRefusal } from '../../domain/staff.js';
import type { WithdrawalSnapshot } from '../../domain/payments/withdrawal.js';
import type {
  ActOutcome,
  PaymentCreation,
  PaymentOrder,
  PaymentWorkflowInput,
  Review,
  StaffCancel,
} from './payment.js';
import type { Vouched } from './payment-steps.js';

export const WITHDRAWAL_WORKFLOW = 'withdrawal';

export interface WithdrawalOrder extends PaymentOrder {
  readonly reviewRequested: boolean;
  /** Number of the operator's own review reasons. Their text may name a person and stays sealed. */
  readonly operatorReasons: number;
  readonly hasPlayerIp: boolean;
  readonly destinationType: string;
}

/** The order as the row keeps it: the number of the operator's own reasons is in the sealed request. */
export type StoredWithdrawalOrder = Omit<WithdrawalOrder, 'operatorReasons' | 'proof'>;

export type WithdrawalWorkflowInput = PaymentWorkflowInput<WithdrawalOrder>;

export type WithdrawalCreation = PaymentCreation<WithdrawalSnapshot, WithdrawalRefusal>;

/**
 * `invalid_state`: also when the send has left. `same_person`: the same person has already approved, and another must.
 * `rules_unavailable`: the rules have not judged it and do not answer. `refused_by_rules`: it can only be refused.
 */
export type WithdrawalActionOutcome = ActOutcome<
  WithdrawalSnapshot,
  'same_person' | 'rules_unavailable' | 'refused_by_rules'
>;

export type WithdrawalReview = Review<'approve' | 'refuse'>;

/** One person's decision to write off a payout whose send was never answered, or that stays processing. */
export interface WriteOffDecision {
  /** The person's stored act. */
  readonly actId: string;
}

export type WriteOffOutcome = { readonly snapshot: WithdrawalSnapshot } & (
  | {
      readonly kind:
        /** Written off: the withdrawal is `failed`. */
        | 'written_off'
        /** The last look-up found the payout, or the request has lapsed. */
        | 'lapsed'
        /** The last look-up was not answered. The request stays pending. */
        | 'provider_silent'
        /** The withdrawal has neither an unanswered send nor one that is processing. */
        | 'invalid_state'
        /** The same person made the pending request, or it names other evidence. */
        | 'same_person'
        | 'other_evidence'
        /** The person's act cannot be done. Nothing changed. */
        | StaffActRefusal;
    }
  /** Stored as the first person's request. Another person must confirm it before `lapsesAt`. */
  | { readonly kind: 'requested'; readonly lapsesAt: string }
  /** `notBefore`: as in WriteOffStep. */
  | { readonly kind: 'too_early'; readonly lookUps: number | null; readonly notBefore: string | null }
);

/** An update, because the caller waits for the decision. */
export const withdrawalCreation = defineUpdate<WithdrawalCreation>('creation');
/** An update, because the caller needs to know whether the cancel came before the send. */
export const cancelWithdrawal = defineUpdate<WithdrawalActionOutcome>('cancel');
/** An update of its own, because a person's cancel needs the person's act, and an operator's needs none. */
export const cancelWithdrawalByStaff = defineUpdate<WithdrawalActionOutcome, [StaffCancel]>('cancelByStaff');
/** An update, because the person needs to know whether the decision counted. */
export const reviewWithdrawal = defineUpdate<WithdrawalActionOutcome, [WithdrawalReview]>('review');
/** An update, because each of the two people needs to know the effect of the decision. */
export const writeOffWithdrawal = defineUpdate<WriteOffOutcome, [WriteOffDecision]>('writeOff');
/** An update: looks the payout up at the provider, applies its state and returns the withdrawal. */
export const refreshWithdrawal = defineUpdate<WithdrawalSnapshot>('refresh');
/** A signal, because no caller waits: a provider callback is recorded at once and applied by the state table. */
export const payoutNotice = defineSignal('payoutNotice');
/** A signal, because no caller waits: what kept the withdrawal from being sent has ended, so it is checked at once. */
export const checkAgain = defineSignal('checkAgain');
/** A query, because reads must not change the history. Null until the withdrawal exists. */
export const withdrawalQuery = defineQuery<Vouched<WithdrawalSnapshot> | null>('withdrawal');
