// The contract of the deposit workflow: its name and input, and its updates, signals and query.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { OperationClock } from '../../domain/operation-clock.js';
import type { DepositSnapshot } from '../../domain/deposit.js';
import type { DepositRefusal } from '../../domain/rules/refusals.js';
import type { StaffActRefusal } from '../../domain/staff.js';
import type { Vouched, VouchedRefusal } from './payment-steps.js';

export const DEPOSIT_WORKFLOW = 'deposit';

/** The input of a new deposit. Personal data is sealed; the rest is ids, codes and amounts. */
export interface DepositOrder {
  readonly depositId: string;
  readonly operationId: string;
  readonly operationName: string;
  readonly environment: 'sandbox' | 'production';
  readonly provider: string;
  readonly externalId: string;
  readonly playerRef: string;
  readonly amountMinor: string;
  readonly currency: string;
  readonly expiresInSeconds: number;
  /** Sealed `SealedDepositRequest` (store/sealing/sealed-requests.ts). */
  readonly sealedRequest: string;
  /** That the gateway made this order, and when (store/sealing/orders.ts). Without it nothing is stored. */
  readonly proof: string;
}

/** The order as the row keeps it. */
export type StoredDepositOrder = Omit<DepositOrder, 'proof'>;

export type DepositWorkflowInput =
  /** `clock`: that of an operation of the sandbox, if it has one. */
  | { readonly kind: 'create'; readonly order: DepositOrder; readonly clock?: OperationClock | undefined }
  /**
   * A stored deposit: closed, with new information (a late payment, a refund or a chargeback); one whose workflow is
   * lost; or the next run of one whose history grew long. It names the row and claims nothing about it.
   */
  | { readonly kind: 'reopen'; readonly depositId: string; readonly operationId: string };

export type DepositCreation =
  /** The deposit is `pending` or `failed`, or `created` when the provider takes longer than the answer budget (202). */
  | ({ readonly kind: 'created' } & Vouched<DepositSnapshot>)
  /** The rules refused the deposit. It does not exist, and this order never becomes one. */
  | VouchedRefusal<DepositRefusal>
  /** Another deposit has the `external_id`. */
  | { readonly kind: 'duplicate'; readonly existingId: string };

/** The result of a run: the deposit's status, or why no deposit exists. */
export type DepositEnd = string | Exclude<DepositCreation, { readonly kind: 'created' }>;

/** Snapshots in answers have no `decidedBy`: the row has it. */
export type DepositActionOutcome =
  | { readonly kind: 'done'; readonly deposit: DepositSnapshot }
  /** Not allowed in this state. Nothing changed. */
  | { readonly kind: 'invalid_state'; readonly deposit: DepositSnapshot }
  /** The return is stored and under way: the provider has not finished it. */
  | { readonly kind: 'returning'; readonly deposit: DepositSnapshot }
  /** The provider did not answer the look-up before the approval. Nothing changed. */
  | { readonly kind: 'provider_silent'; readonly deposit: DepositSnapshot }
  /** The person's act cannot be done. Nothing changed. */
  | { readonly kind: StaffActRefusal; readonly deposit: DepositSnapshot };

export interface DepositReview {
  readonly decision: 'approve' | 'return';
  /** The person's stored act. `decision` only tells the process which step to ask; the step believes the act. */
  readonly actId: string;
}

/** A person's cancel. */
export interface StaffCancel {
  /** The person's stored act: it names the version of the payment that the person saw. */
  readonly actId: string;
}

/** The failure type of an undecided creation (rules or database down). The api answers 503 and releases the key. */
export const CREATION_UNAVAILABLE = 'CreationUnavailable';
/** The failure type of every other update of a payment that was not created. */
export const NO_SUCH_PAYMENT = 'NoSuchPayment';
/** The failure type of a step about a deposit that has no row. */
export const DEPOSIT_MISSING = 'DepositMissing';
/** The failure type of a message that cannot succeed in the payment's state: it leaves no trace in the history. */
export const NOT_POSSIBLE = 'NotPossible';

/** The failure type of an update that reached a run after its end: the next run answers it. */
export const RUN_ENDED = 'RunEnded';
/** The id of the creation update, so that every retry of the request attaches to the same creation. */
export const CREATION_UPDATE_ID = 'creation';

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
export const refreshDeposit = defineUpdate<DepositSnapshot, [{ endToEndId: string | null }]>('refresh');
/** A signal, because no caller waits: a provider callback is recorded at once and applied by the state table. */
export const chargeNotice = defineSignal<[{ endToEndId: string }]>('chargeNotice');
/** A query, because reads must not change the history. Null until the deposit exists. */
export const depositQuery = defineQuery<Vouched<DepositSnapshot> | null>('deposit');
