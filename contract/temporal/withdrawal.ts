// What the api and the withdrawal workflow share: the workflow's name and input, and its updates, signals and query.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ConclusionStep } from '../../domain/lost-payout.js';
import type { WithdrawalRefusal } from '../../domain/rules/refusals.js';
import type { WithdrawalSnapshot } from '../../domain/withdrawal.js';

export const WITHDRAWAL_WORKFLOW = 'withdrawal';

/** A withdrawal as the api hands it over. Personal data travels sealed; the rest is ids, codes and amounts. */
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
  /** How many review reasons the operator has given. Their words may name a person: they stay sealed. */
  readonly operatorReasons: number;
  readonly hasPlayerIp: boolean;
  readonly destinationType: string;
  /** Sealed `SealedWithdrawalRequest` (store/sealing/sealed-requests.ts). */
  readonly sealedRequest: string;
}

export type WithdrawalWorkflowInput =
  | { readonly kind: 'create'; readonly order: WithdrawalOrder }
  /** A closed withdrawal that something arrived for: a return by the receiving bank. */
  | { readonly kind: 'reopen'; readonly withdrawalId: string; readonly operationId: string };

export type WithdrawalCreation =
  | { readonly kind: 'created'; readonly withdrawal: WithdrawalSnapshot }
  | { readonly kind: 'refused'; readonly code: WithdrawalRefusal }
  | { readonly kind: 'duplicate'; readonly existingId: string };

export type WithdrawalActionOutcome =
  | { readonly kind: 'done'; readonly withdrawal: WithdrawalSnapshot }
  /** Not from this state (or the send has left); nothing changed. */
  | { readonly kind: 'invalid_state'; readonly withdrawal: WithdrawalSnapshot }
  /** The same person has decided already; another one must. */
  | { readonly kind: 'same_person'; readonly withdrawal: WithdrawalSnapshot };

/** One person's word on a send that was lost: the provider never accepted it. */
export interface WithdrawalConclusion {
  readonly person: string;
  readonly reason: string;
  readonly evidence: string;
}

export type WithdrawalConclusionOutcome =
  /** The first person's word; another person must confirm it until then. */
  | { readonly kind: 'requested'; readonly withdrawal: WithdrawalSnapshot; readonly lapsesAt: string }
  | { readonly kind: 'concluded'; readonly withdrawal: WithdrawalSnapshot }
  /** The provider shows a trace of it after all, or the request has lapsed while it was looked for. */
  | { readonly kind: 'lapsed'; readonly withdrawal: WithdrawalSnapshot }
  /** The last look was not answered. The request stays. */
  | { readonly kind: 'provider_silent'; readonly withdrawal: WithdrawalSnapshot }
  /** Not a send that was lost. */
  | { readonly kind: 'invalid_state'; readonly withdrawal: WithdrawalSnapshot }
  | (Exclude<ConclusionStep, { kind: 'request' | 'confirm' }> & { readonly withdrawal: WithdrawalSnapshot });

export interface WithdrawalReview {
  readonly decision: 'approve' | 'refuse';
  readonly person: string;
  readonly reason: string;
}

/** An update: the caller waits for the decision. */
export const withdrawalCreation = defineUpdate<WithdrawalCreation>('creation');
/** An update: the caller needs to know whether the cancel came before the send. */
export const cancelWithdrawal = defineUpdate<WithdrawalActionOutcome>('cancel');
/** An update: the person who decides needs to know whether the decision counted. */
export const reviewWithdrawal = defineUpdate<WithdrawalActionOutcome, [WithdrawalReview]>('review');
/** An update: each of the two people needs to know what their word did. */
export const concludeWithdrawal = defineUpdate<WithdrawalConclusionOutcome, [WithdrawalConclusion]>('conclude');
/** An update: asks the provider for the payout's state and applies it, then answers with the withdrawal. */
export const refreshWithdrawal = defineUpdate<WithdrawalSnapshot>('refresh');
/** A signal: a provider's callback is recorded at once and applied by rule; nobody waits. */
export const payoutNotice = defineSignal('payoutNotice');
/** A query: reads never disturb the payment. Null until the withdrawal exists. */
export const withdrawalQuery = defineQuery<WithdrawalSnapshot | null>('withdrawal');
