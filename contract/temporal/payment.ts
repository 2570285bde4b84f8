// What the contracts of the deposit's and of the withdrawal's workflow have in common.
import type { OperationClock } from '../../domain/operation-clock.js';
import type { StaffActRefusal } from '../../domain/staff.js';
import type { PaymentId, Vouched, VouchedRefusal } from './payment-steps.js';

/** What a caller ordered. Personal data is sealed; the rest is ids, codes and amounts. */
export interface PaymentOrder extends PaymentId {
  readonly operationName: string;
  readonly environment: 'sandbox' | 'production';
  readonly provider: string;
  readonly externalId: string;
  readonly playerRef: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  /** Sealed request of this kind of payment (store/sealing/sealed-requests.ts). */
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

export type PaymentCreation<Snapshot, Refusal extends string> =
  | ({ readonly kind: 'created' } & Vouched<Snapshot>)
  /** The rules refused it. It does not exist, and this order never becomes one. */
  | VouchedRefusal<Refusal>
  /** Another payment has the `external_id`. */
  | { readonly kind: 'duplicate'; readonly existingId: string };

/**
 * What became of an act. Unless it is `done`, nothing changed: `invalid_state` is not allowed now, a `StaffActRefusal`
 * says why the person's act cannot be done. Snapshots have no people and no write-offs: the row has them.
 */
export type ActOutcome<Snapshot, Other extends string> = EachOf<
  'done' | 'invalid_state' | StaffActRefusal | Other,
  Snapshot
>;

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
