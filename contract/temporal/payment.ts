// The contract of the deposit's and of the withdrawal's workflow: their names and inputs, their updates, signals and
// queries, and what both have in common.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { PaymentId, Vouched, VouchedRefusal } from './payment-steps.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import type { DepositSnapshot } from '../../domain/payments/deposit.js';
import type { WithdrawalSnapshot } from '../../domain/payments/withdrawal.js';
import type { DepositRefusal, WithdrawalRefusal } from '../../domain/rules/verdicts.js';
import type { StaffActRefusal } from '../../domain/staff.js';

/** What a caller ordered. Personal data is sealed; the rest is ids, codes and amounts. */
export interface PaymentOrder extends PaymentId {
  readonly operationName: string;
  readonly environment: 'sandbox' | 'production';
  readonly provider: string;
  readonly externalId: string;
  readonly playerRef: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  /** Sealed request of this kind of payment (store/sealing/orders.ts). */
  readonly sealedRequest: string;
  /** That the gateway made this order, and when (store/sealing/orders.ts). Without it nothing is stored. */
  readonly proof: string;
}

export type PaymentWorkflowInput<Order extends PaymentOrder> =
  /** `clock`: that of an operation of the sandbox, if it has one. */
  | { readonly kind: 'create'; readonly order: Order; readonly clock?: OperationClock | undefined }
  /**
   * A stored payment: closed, with new information (a late payment, a return, a chargeback); one whose workflow is
   * lost; or the next run of one whose history grew long. It names the row and claims nothing about it.
   */
  | ({ readonly kind: 'reopen' } & PaymentId);

type PaymentCreation<Snapshot, Refusal extends string> =
  | ({ readonly kind: 'created' } & Vouched<Snapshot>)
  /** The rules refused it. It does not exist, and this order never becomes one. */
  | VouchedRefusal<Refusal>
  /** Another payment has the `external_id`. */
  | { readonly kind: 'duplicate'; readonly existingId: string };

/**
 * What became of an act. Unless it is `done`, nothing changed: `invalid_state` is not allowed now, a `StaffActRefusal`
 * says why the person's act cannot be done. Snapshots have no people and no write-offs: the row has them.
 */
type ActOutcome<Snapshot, Other extends string> = EachOf<'done' | 'invalid_state' | StaffActRefusal | Other, Snapshot>;

/** One member of the union for each kind. */
type EachOf<Kind, Snapshot> = Kind extends string ? { readonly kind: Kind; readonly snapshot: Snapshot } : never;

/** A person's cancel. */
export interface StaffCancel {
  /** The person's stored act: it names the version of the payment that the person saw. */
  readonly actId: string;
}

/** A person's decision on a review. `decision` only tells the process which step to ask; the step believes the act. */
export interface Review<Decision extends string> {
  readonly decision: Decision;
  /** The person's stored act. */
  readonly actId: string;
}

/** The failure type of an undecided creation (rules or database down). The api answers 503 and releases the key. */
export const CREATION_UNAVAILABLE = 'CreationUnavailable';
/** The failure type of every other update of a payment that was not created. */
export const NO_SUCH_PAYMENT = 'NoSuchPayment';
/** The failure type of a message that cannot succeed in the payment's state: it leaves no trace in the history. */
export const NOT_POSSIBLE = 'NotPossible';
/** The failure type of an update that reached a run after its end: the next run answers it. */
export const RUN_ENDED = 'RunEnded';
/** The id of the creation update, so that every retry of the request attaches to the same creation. */
export const CREATION_UPDATE_ID = 'creation';

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

/** A signal, because no caller waits: the clock was set, and what is due by it is done now. */
export const clockSet = defineSignal<[OperationClock]>('clockSet');

/** When a payment's process goes on by itself, and whether it is doing something. */
export interface NextStep {
  /** RFC 3339, by the operation's clock; `null`: it waits for somebody else. */
  readonly dueAt: string | null;
  /** RFC 3339, real time: since when it waits for a step or a provider; `null`: nothing is under way. */
  readonly busySince: string | null;
  /** Rises whenever something changes the payment. */
  readonly revision: number;
  /** Of the clock that it has been told. */
  readonly clockRevision: number;
}

/** A query, because reads must not change the history. `null` until the payment exists. */
export const nextStep = defineQuery<NextStep | null>('nextStep');
