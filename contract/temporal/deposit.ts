// What the api and the deposit workflow share: the workflow's name and input, and its updates, signals and query.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { DepositSnapshot } from '../../domain/deposit.js';
import type { DepositRefusal } from '../../domain/rules/refusals.js';

export const DEPOSIT_WORKFLOW = 'deposit';

/** A deposit as the api hands it over. Personal data travels sealed; the rest is ids, codes and amounts. */
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
}

export type DepositWorkflowInput =
  | { readonly kind: 'create'; readonly order: DepositOrder }
  /** A closed deposit that something arrived for: a late payment, a refund, a chargeback. */
  | { readonly kind: 'reopen'; readonly depositId: string; readonly operationId: string };

export type DepositCreation =
  /** `pending`, `failed`, or `created` when the provider takes longer than the answer budget (202). */
  | { readonly kind: 'created'; readonly deposit: DepositSnapshot }
  /** The rules refused: no object exists. */
  | { readonly kind: 'refused'; readonly code: DepositRefusal }
  /** The `external_id` is another deposit's. */
  | { readonly kind: 'duplicate'; readonly existingId: string };

/** What a run ends with: the deposit's status, or why there is none. */
export type DepositEnd = string | Exclude<DepositCreation, { readonly kind: 'created' }>;

export type DepositActionOutcome =
  | { readonly kind: 'done'; readonly deposit: DepositSnapshot }
  /** Not from this state; nothing changed. */
  | { readonly kind: 'invalid_state'; readonly deposit: DepositSnapshot };

export interface DepositReview {
  readonly decision: 'approve' | 'return';
  readonly person: string;
  readonly reason: string;
}

/** The failure type of a creation that could not be decided (rules or database down): 503, the key is released. */
export const CREATION_UNAVAILABLE = 'CreationUnavailable';
/** With this type every other update of a payment fails that never came to be. */
export const NO_SUCH_PAYMENT = 'NoSuchPayment';
/** The update's id, so that every repeat of the request attaches to the same creation. */
export const CREATION_UPDATE_ID = 'creation';

/** An update: the caller waits for the outcome of the creation. */
export const depositCreation = defineUpdate<DepositCreation>('creation');
/** An update: the caller needs to know whether the cancel came in time. */
export const cancelDeposit = defineUpdate<DepositActionOutcome>('cancel');
/** An update: the person who decides needs to know whether the decision counted. */
export const reviewDeposit = defineUpdate<DepositActionOutcome, [DepositReview]>('review');
/** An update: the tester who lets it expire reads the result. */
export const expireDeposit = defineUpdate<DepositActionOutcome>('expire');
/**
 * An update: asks the provider what happened on the charge and applies it (payments, refunds, chargebacks), then
 * answers with the deposit. Also how the sandbox's `pay`, `refund` and `chargeback` see their effect.
 */
export const refreshDeposit = defineUpdate<DepositSnapshot, [{ endToEndId: string | null }]>('refresh');
/** A signal: a provider's callback is recorded at once and applied by rule; nobody waits. */
export const chargeNotice = defineSignal<[{ endToEndId: string }]>('chargeNotice');
/** A query: reads never disturb the payment. Null until the deposit exists. */
export const depositQuery = defineQuery<DepositSnapshot | null>('deposit');
