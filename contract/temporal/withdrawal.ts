// The contract of the withdrawal workflow: its name and input, and its updates, signals and query.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { WithdrawalRefusal } from '../../domain/rules/refusals.js';
import type { StaffActRefusal } from '../../domain/staff.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import type { WithdrawalSnapshot } from '../../domain/withdrawal.js';
import type { StaffCancel } from './deposit.js';
import type { Vouched, VouchedRefusal } from './payment-steps.js';

export const WITHDRAWAL_WORKFLOW = 'withdrawal';

/** The input of a new withdrawal. Personal data is sealed; the rest is ids, codes and amounts. */
export interface WithdrawalOrder {
  readonly withdrawalId: string;
  readonly operationId: string;
  readonly operationName: string;
  readonly environment: 'sandbox' | 'production';
  readonly provider: string;
  readonly externalId: string;
  readonly playerRef: string;
  readonly amountMinor: string;
  readonly currency: string;
  readonly reviewRequested: boolean;
  /** Number of the operator's own review reasons. Their text may name a person and stays sealed. */
  readonly operatorReasons: number;
  readonly hasPlayerIp: boolean;
  readonly destinationType: string;
  /** Sealed `SealedWithdrawalRequest` (store/sealing/sealed-requests.ts). */
  readonly sealedRequest: string;
  /** That the gateway made this order, and when (store/sealing/orders.ts). Without it nothing is stored. */
  readonly proof: string;
}

export type WithdrawalWorkflowInput =
  /** `clock`: that of an operation of the sandbox, if it has one. */
  | { readonly kind: 'create'; readonly order: WithdrawalOrder; readonly clock?: OperationClock | undefined }
  /**
   * A stored withdrawal: closed, with new information such as a return by the receiving bank; one whose workflow is
   * lost; or the next run of one whose history grew long. It names the row and claims nothing about it.
   */
  | { readonly kind: 'reopen'; readonly withdrawalId: string; readonly operationId: string };

export type WithdrawalCreation =
  | ({ readonly kind: 'created' } & Vouched<WithdrawalSnapshot>)
  /** It does not exist, and this order never becomes one. */
  | VouchedRefusal<WithdrawalRefusal>
  | { readonly kind: 'duplicate'; readonly existingId: string };

/** Snapshots in answers have no people and no write-offs: the row has them. */
export type WithdrawalActionOutcome =
  | { readonly kind: 'done'; readonly withdrawal: WithdrawalSnapshot }
  /** Not allowed in this state, or the send has left. Nothing changed. */
  | { readonly kind: 'invalid_state'; readonly withdrawal: WithdrawalSnapshot }
  /** The same person has already approved. Another person must. */
  | { readonly kind: 'same_person'; readonly withdrawal: WithdrawalSnapshot }
  /** The rules have not judged it and do not answer: it cannot be approved now. */
  | { readonly kind: 'rules_unavailable'; readonly withdrawal: WithdrawalSnapshot }
  /** The rules refuse it: it can only be refused. */
  | { readonly kind: 'refused_by_rules'; readonly withdrawal: WithdrawalSnapshot }
  /** The person's act cannot be done. Nothing changed. */
  | { readonly kind: StaffActRefusal; readonly withdrawal: WithdrawalSnapshot };

/** One person's decision to write off a payout whose send was never answered, or that stays processing. */
export interface WriteOffDecision {
  /** The person's stored act. */
  readonly actId: string;
}

export type WriteOffOutcome =
  /** Stored as the first person's request. Another person must confirm it before `lapsesAt`. */
  | { readonly kind: 'requested'; readonly withdrawal: WithdrawalSnapshot; readonly lapsesAt: string }
  /** Written off: the withdrawal is `failed`. */
  | { readonly kind: 'written_off'; readonly withdrawal: WithdrawalSnapshot }
  /** The last look-up found the payout, or the request has lapsed. */
  | { readonly kind: 'lapsed'; readonly withdrawal: WithdrawalSnapshot }
  /** The last look-up was not answered. The request stays pending. */
  | { readonly kind: 'provider_silent'; readonly withdrawal: WithdrawalSnapshot }
  /** The withdrawal has neither an unanswered send nor one that is processing. */
  | { readonly kind: 'invalid_state'; readonly withdrawal: WithdrawalSnapshot }
  /** `notBefore`: as in WriteOffStep. */
  | {
      readonly kind: 'too_early';
      readonly lookUps: number | null;
      readonly notBefore: string | null;
      readonly withdrawal: WithdrawalSnapshot;
    }
  /** The same person made the pending request, or it names other evidence. */
  | { readonly kind: 'same_person' | 'other_evidence'; readonly withdrawal: WithdrawalSnapshot }
  /** The person's act cannot be done. Nothing changed. */
  | { readonly kind: StaffActRefusal; readonly withdrawal: WithdrawalSnapshot };

export interface WithdrawalReview {
  readonly decision: 'approve' | 'refuse';
  /** The person's stored act. `decision` only tells the process which step to ask; the step believes the act. */
  readonly actId: string;
}

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
