// The activities as workflows see them: inputs and outcomes that cross Temporal. No personal data except sealed.
import type { AlertKind } from '../domain/alerts.js';
import type { DepositInstructions, DepositSnapshot, ReviewDecision } from '../domain/deposit.js';
import type { LedgerMovement } from '../domain/ledger.js';
import type { WriteOffAct } from '../domain/write-off.js';
import type { AutomaticUse } from '../domain/rules/automatic-use.js';
import type { KeyOwnerFinding, PaymentVerdict } from '../domain/rules/verdicts.js';
import type { WithdrawalSnapshot } from '../domain/withdrawal.js';
import type { DepositOrder } from '../contract/temporal/deposit.js';
import type { WithdrawalOrder } from '../contract/temporal/withdrawal.js';

import type { ChargeQuestion } from './rules/types.js';

export type { ChargeQuestion, RulesActivities } from './rules/types.js';

/** What a transition publishes and moves besides the object itself. */
export interface TransitionEffects {
  readonly event: PublishedEvent | null;
  readonly movement: {
    readonly name: LedgerMovement;
    readonly amountMinor: string;
    readonly transferId: string;
  } | null;
  readonly alert: AlertNote | null;
  /** Conditions that this transition ends. */
  readonly resolves: readonly AlertKind[];
}

export interface AlertNote {
  readonly kind: AlertKind;
  readonly detail: string;
  /** The one thing that it is about, for which it is raised once; null for what is raised again as long as it holds. */
  readonly occasion: string | null;
}

export interface DepositTransitionInput extends TransitionEffects {
  readonly deposit: DepositSnapshot;
  /** The version the row must have: `deposit.version - 1`, or `deposit.version` where only notes change. */
  readonly fromVersion: number;
  /** Sealed DepositPayer, once a payment was recorded. */
  readonly sealedPayer: string | null;
  /** The human act that this stores, for the audit trail. */
  readonly act?: ReviewAct | null;
}

/** One person's part in a review, or in a conclusion; `number` is its place among the payment's acts of that kind. */
export type ReviewAct =
  | (ReviewDecision & { readonly number: number })
  | (WriteOffAct & { readonly number: `conclusion-${number}` })
  /** The provider refused what the person decided; `code` says why. The payment waits for another decision. */
  | (Omit<ReviewDecision, 'decision'> & {
      readonly decision: 'return_refused';
      readonly code: string;
      readonly number: `refused-${string}`;
    });

export interface WithdrawalTransitionInput extends TransitionEffects {
  readonly withdrawal: WithdrawalSnapshot;
  /** The order's: the event shows the operator's own reasons. */
  readonly sealedRequest: string;
  readonly fromVersion: number;
  readonly act?: ReviewAct | null;
  /** An automatic decision counts here; see domain/rules/automatic-use.ts. */
  readonly automaticUse?: AutomaticUse | null;
}

/**
 * What an earlier attempt at the same write has stored, without anybody learning of it: a workflow task that is tried again
 * has a later clock, so what is stored counts. `events`: what it has published since the version that the write starts from.
 */
export interface FoundDeposit {
  readonly deposit: DepositSnapshot;
  readonly sealedPayer: string | null;
  readonly events: readonly PublishedEvent[];
}

export interface FoundWithdrawal {
  readonly withdrawal: WithdrawalSnapshot;
  readonly events: readonly PublishedEvent[];
}

export interface PublishedEvent {
  readonly id: string;
  readonly type: string;
}

export type Admission<Found> =
  /** `found` is null when this call has made the row. */
  | { readonly kind: 'admitted'; readonly found: Found | null }
  | { readonly kind: 'duplicate'; readonly existingId: string }
  /** The player's document was fixed to another one in between. */
  | { readonly kind: 'document_mismatch' }
  /** The facts of the decision are out of date: decide again. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'insufficient_balance' };

/** The step of `openDeposit` that makes the row. */
export interface DepositAdmissions {
  /** `playerRevision`: as in `admitWithdrawal`. */
  admitDeposit(input: {
    order: DepositOrder;
    deposit: DepositSnapshot;
    playerRevision: string | null;
  }): Promise<Admission<FoundDeposit>>;
}

/** Short steps in Postgres: local activities, each one statement. What an earlier attempt has stored already is answered as it was found. */
export interface StoreActivities {
  storeDeposit(input: DepositTransitionInput): Promise<'stored' | FoundDeposit>;
  loadDeposit(input: {
    depositId: string;
    operationId: string;
  }): Promise<{ order: DepositOrder; deposit: DepositSnapshot; sealedPayer: string | null }>;
  admitWithdrawal(input: {
    order: WithdrawalOrder;
    withdrawal: WithdrawalSnapshot;
    event: PublishedEvent | null;
    /** Null where nothing is to be compared: no rule looked, or the rules could not be asked. */
    playerRevision: string | null;
    /** Of an automatic withdrawal: above a cap it is `stale`. */
    automaticUse?: AutomaticUse | null;
  }): Promise<Admission<FoundWithdrawal>>;
  /** `cap_reached`: nothing is stored, because the operation's automatic cap has no room for it any more. */
  storeWithdrawal(input: WithdrawalTransitionInput): Promise<'stored' | 'cap_reached' | FoundWithdrawal>;
  loadWithdrawal(input: {
    withdrawalId: string;
    operationId: string;
  }): Promise<{ order: WithdrawalOrder; withdrawal: WithdrawalSnapshot }>;
  raiseAlert(input: AlertNote & { operationId: string; objectId: string; at: string }): Promise<void>;
}

export type ChargeResult =
  | { readonly kind: 'created'; readonly instructions: DepositInstructions; readonly expiresAt: string }
  /** `environment_guard`, `psp_rejected` or the provider's code. */
  | { readonly kind: 'refused'; readonly failureCode: string };

/** A payment as the workflow may know it. */
export interface PaymentFinding {
  readonly endToEndId: string;
  readonly amountMinor: string;
  readonly paidAt: string;
  readonly payerMatch: 'match' | 'mismatch' | 'unknown';
  /** Sealed DepositPayer. */
  readonly sealedPayer: string;
  readonly reversals: readonly {
    readonly kind: 'refund' | 'chargeback';
    readonly amountMinor: string;
    readonly reference: string;
    readonly done: boolean;
  }[];
}

export interface ChargeFindings {
  readonly status: 'open' | 'paid' | 'removed' | 'not_found';
  readonly payments: readonly PaymentFinding[];
}

export type DepositOpening =
  /** `charge` is null when the provider did not answer at once: it is then asked until it does. */
  | { readonly kind: 'admitted'; readonly found: FoundDeposit | null; readonly charge: ChargeResult | null }
  | Exclude<Admission<FoundDeposit>, { kind: 'admitted' }>;

export interface OpeningActivities {
  /** Makes the deposit's row, then asks the provider once for its charge, for as long as `chargeWithinMs`. */
  openDeposit(
    input: Parameters<DepositAdmissions['admitDeposit']>[0] & { chargeWithinMs: number },
  ): Promise<DepositOpening>;
}

/** What a look at a charge brought; `assessed` is what the rules say of its first payment, where they were asked with it. */
export interface Examination {
  readonly findings: ChargeFindings;
  readonly assessed: { readonly endToEndId: string; readonly verdict: PaymentVerdict } | null;
}

export interface ExaminationActivities {
  /** Looks a charge up and assesses its payment. Throws when the provider does not answer at once. */
  examineCharge(input: { order: DepositOrder; charge: ChargeQuestion }): Promise<Examination>;
}

export type ReturnResult =
  { readonly kind: 'done' } | { readonly kind: 'pending' } | { readonly kind: 'refused'; readonly code: string };

export interface PayoutFinding {
  readonly status: 'processing' | 'paid' | 'failed';
  readonly endToEndId: string | null;
  readonly failureCode: string | null;
  readonly paidAt: string | null;
  readonly returned: boolean;
}

/** Attempts of one run to send, counted from 1: each asks for the one permission under a name of its own. */
export interface SendAttempt {
  readonly attempt: number;
  /** The last attempt that is known to have sent nothing, whose permission this one may take over; 0: none. */
  readonly takesOverFrom: number;
}

export type SendResult =
  | { readonly kind: 'reply'; readonly payout: PayoutFinding }
  /** Conclusive: nothing left. A later try is still the first send. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** The process belongs to another environment than the operation: refused before leaving. */
  | { readonly kind: 'guarded' }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface KeyOwnerAnswer {
  readonly finding: Exclude<KeyOwnerFinding, 'not_asked'>;
  readonly endToEndId: string | null;
  readonly retryAfterSeconds: number | null;
  /** Why there was no answer: a code; null where there was one. */
  readonly reason: string | null;
}

/** Calls to the payment provider. An inconclusive answer throws and is tried again, except where the outcome names it. */
export interface ProviderActivities {
  createCharge(input: { order: DepositOrder }): Promise<ChargeResult>;
  lookUpCharge(input: { order: DepositOrder }): Promise<ChargeFindings>;
  returnPayment(input: { order: DepositOrder; endToEndId: string; amountMinor: string }): Promise<ReturnResult>;
  lookUpKeyOwner(input: { order: WithdrawalOrder }): Promise<KeyOwnerAnswer>;
  sendPayout(input: { order: WithdrawalOrder; lookupEndToEndId: string | null } & SendAttempt): Promise<SendResult>;
  lookUpPayout(input: {
    order: WithdrawalOrder;
  }): Promise<{ kind: 'found'; payout: PayoutFinding } | { kind: 'not_found' }>;
}

export type DeliveryResult =
  | { readonly kind: 'delivered'; readonly status: number }
  /** The operation has no webhook URL. */
  | { readonly kind: 'no_target' }
  | { readonly kind: 'failed'; readonly status: number | null; readonly reason: string };

export interface WebhookActivities {
  /** One attempt to deliver; logs it, and reports a 401. Never throws for the receiver's fault. */
  deliverEvent(input: {
    eventId: string;
    operationId: string;
    attempt: number;
    nextPauseSeconds: number | null;
  }): Promise<DeliveryResult>;
  raiseDeliveryAlert(input: AlertNote & { operationId: string; objectId: string; at: string }): Promise<void>;
}
