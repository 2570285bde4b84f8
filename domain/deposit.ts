// The deposit: its states, what each awaits, and the table of every allowed transition (specification, "Deposit (PIX)").
import type { LedgerMovement } from './ledger.js';

export const DEPOSIT_STATUSES = [
  'created',
  'pending',
  'under_review',
  'paid',
  'expired',
  'cancelled',
  'failed',
  'returned',
  'refunded',
  'chargeback',
] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

/** Why a deposit waits for a person. */
export const DEPOSIT_REVIEW_REASONS = [
  'PAYER_MISMATCH',
  'PAYER_UNKNOWN',
  'PAYER_BLOCKED',
  'AMOUNT_MISMATCH',
  'PAID_AFTER_EXPIRY',
  'RULES_UNAVAILABLE',
  'RULES_INVALID_RESPONSE',
] as const;
export type DepositReviewReason = (typeof DEPOSIT_REVIEW_REASONS)[number];

/** Everything that can move a deposit, or ask to. */
export const DEPOSIT_TRIGGERS = [
  'charge_created',
  'charge_refused',
  'payment_matched',
  'payment_in_doubt',
  'expiry',
  'cancel',
  'charge_removed',
  'approve',
  'return',
  'refund',
  'chargeback',
] as const;
export type DepositTrigger = (typeof DEPOSIT_TRIGGERS)[number];

export interface DepositTransition {
  readonly from: readonly DepositStatus[];
  readonly to: DepositStatus;
  /** The event that the transition publishes. */
  readonly event: `deposit.${DepositStatus}`;
  /** The money that moves with it: the amount that was paid. */
  readonly moves: LedgerMovement | null;
}

/** Every allowed move. A trigger from any other state changes nothing. */
export const DEPOSIT_TRANSITIONS = {
  // The provider returned the PIX: the player can pay.
  charge_created: { from: ['created'], to: 'pending', event: 'deposit.pending', moves: null },
  // The provider (or the environment guard) said no before there was anything to pay.
  charge_refused: { from: ['created'], to: 'failed', event: 'deposit.failed', moves: null },
  // The exact amount, in time, from the player: credit.
  payment_matched: { from: ['pending'], to: 'paid', event: 'deposit.paid', moves: 'deposit_credited' },
  // Money arrived, but not as agreed: a person decides.
  payment_in_doubt: { from: ['pending'], to: 'under_review', event: 'deposit.under_review', moves: 'deposit_held' },
  expiry: { from: ['pending'], to: 'expired', event: 'deposit.expired', moves: null },
  cancel: { from: ['pending'], to: 'cancelled', event: 'deposit.cancelled', moves: null },
  // The provider withdrew the charge.
  charge_removed: { from: ['pending'], to: 'failed', event: 'deposit.failed', moves: null },
  approve: { from: ['under_review'], to: 'paid', event: 'deposit.paid', moves: 'deposit_released' },
  return: { from: ['under_review'], to: 'returned', event: 'deposit.returned', moves: 'deposit_returned' },
  refund: { from: ['paid'], to: 'refunded', event: 'deposit.refunded', moves: 'deposit_refunded' },
  chargeback: { from: ['paid'], to: 'chargeback', event: 'deposit.chargeback', moves: 'deposit_charged_back' },
} as const satisfies Record<DepositTrigger, DepositTransition>;

/** States that no workflow waits in: what arrives later reopens the deposit for one rule. */
export const CLOSED_DEPOSIT_STATUSES = [
  'paid',
  'expired',
  'cancelled',
  'failed',
  'returned',
  'refunded',
  'chargeback',
] as const satisfies readonly DepositStatus[];

/** States in which a payment is late: it is recorded and flagged, and changes no state (rule 1). */
export const LATE_PAYMENT_STATUSES = ['expired', 'cancelled', 'failed'] as const satisfies readonly DepositStatus[];

/** Whether the trigger may move a deposit that is in `status`. */
export function depositAllows(trigger: DepositTrigger, status: DepositStatus): boolean {
  return (DEPOSIT_TRANSITIONS[trigger].from as readonly DepositStatus[]).includes(status);
}

/** Whether the deposit's workflow has ended in this state. */
export function isDepositClosed(status: DepositStatus): boolean {
  return (CLOSED_DEPOSIT_STATUSES as readonly DepositStatus[]).includes(status);
}

/** Minutes after `expires_at` in which a payment still counts, before the deposit expires. */
export const EXPIRY_GRACE_SECONDS = 120;

/** How long `POST /deposits` waits for the provider before it answers 202. */
export const CREATION_ANSWER_BUDGET_MS = 7_000;

/** One person's part in a decision. */
export interface ReviewDecision {
  readonly person: string;
  readonly decision: 'approve' | 'refuse' | 'return';
  readonly reason: string;
  /** RFC 3339. */
  readonly at: string;
}

/** Who decided, each once, in the order of their first word. */
export function peopleOf(decisions: readonly { readonly person: string }[]): string[] {
  return [...new Set(decisions.map(({ person }) => person))];
}

/**
 * A deposit without personal data: what the workflow holds, queries answer and rows map to. Amounts are decimal
 * strings of minor units and times RFC 3339 strings, so that it crosses Temporal as it is.
 */
export interface DepositSnapshot {
  readonly id: string;
  readonly operationId: string;
  readonly externalId: string;
  readonly status: DepositStatus;
  readonly version: number;
  readonly amountMinor: string;
  readonly currency: string;
  readonly paidAmountMinor: string | null;
  readonly method: 'pix';
  readonly playerRef: string;
  readonly provider: string;
  readonly instructions: DepositInstructions | null;
  readonly failureCode: string | null;
  readonly reviewReasons: readonly DepositReviewReason[];
  readonly decidedBy: readonly ReviewDecision[];
  readonly endToEndId: string | null;
  /** True once a payer is stored; the payer itself is personal data and only in Postgres. */
  readonly hasPayer: boolean;
  readonly latePayment: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly paidAt: string | null;
  readonly expiresAt: string;
}

export interface DepositInstructions {
  readonly copyPaste: string;
  readonly qrCodePngBase64: string | null;
  readonly expiresAt: string;
}

/** The payer as stored (sealed) and served; `document` is null where the provider does not report it. */
export interface DepositPayer {
  readonly document: { readonly type: string; readonly number: string; readonly country: string } | null;
  readonly name: string | null;
  readonly matchesPlayer: boolean;
}
