// The deposit: its states, the table of every allowed transition, and its snapshot (specification, "Deposit (PIX)").
import type { LedgerMovement } from '../ledger.js';

export const DEPOSIT_STATUSES = [
  /** Waits for the provider to return the charge. */
  'created',
  /** Waits for the payment, until it expires. */
  'pending',
  /** Paid in doubt: waits for a person to approve or return the payment. */
  'under_review',
  /** Credited. Waits for nothing; a refund or chargeback reopens it. */
  'paid',
  /** Not paid in time. Waits for nothing; a late payment is recorded. */
  'expired',
  /** Cancelled by the operator. Waits for nothing; a late payment is recorded. */
  'cancelled',
  /** Refused or withdrawn by the provider. Waits for nothing; a late payment is recorded. */
  'failed',
  /** Returned to the payer after a review. Final. */
  'returned',
  /** Refunded after it was paid. Final. */
  'refunded',
  /** Charged back after it was paid. Final. */
  'chargeback',
] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

/**
 * What a state means for limits, totals and balances. Every list of states that count or do not count derives from the
 * two tables of phases: a test compares the lists in statements with them.
 * - `open`: not final; the amount counts.
 * - `settled`: paid; the amount counts.
 * - `void`: nothing was paid, or all of it went back; the amount does not count.
 */
export type PaymentPhase = 'open' | 'settled' | 'void';

export const DEPOSIT_PHASES = {
  created: 'open',
  pending: 'open',
  under_review: 'open',
  paid: 'settled',
  expired: 'void',
  cancelled: 'void',
  failed: 'void',
  returned: 'void',
  refunded: 'void',
  chargeback: 'void',
} as const satisfies Record<DepositStatus, PaymentPhase>;

/** The states of a table that have one of the phases, in the table's order. */
export function statusesOf<Status extends string>(
  table: Readonly<Record<Status, PaymentPhase>>,
  ...phases: readonly PaymentPhase[]
): Status[] {
  return (Object.keys(table) as Status[]).filter((status) => phases.includes(table[status]));
}

/** Why a deposit is under review. */
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

export interface DepositTransition {
  readonly from: readonly DepositStatus[];
  readonly to: DepositStatus;
  /** The event that the transition publishes. */
  readonly event: `deposit.${DepositStatus}`;
  /** The movement of the paid amount, of a return only of its last part; `null` when no money moves. */
  readonly moves: LedgerMovement | null;
  /** The transition happens after the deposit's workflow ended, and reopens it. */
  readonly reopens?: true;
}

/** Every allowed transition. A trigger in any other state changes nothing. */
export const DEPOSIT_TRANSITIONS = {
  // The provider returned the PIX charge. The player can pay it.
  charge_created: { from: ['created'], to: 'pending', event: 'deposit.pending', moves: null },
  // The provider or the environment guard refused the charge.
  charge_refused: { from: ['created'], to: 'failed', event: 'deposit.failed', moves: null },
  // The player paid the exact amount in time.
  payment_matched: { from: ['pending'], to: 'paid', event: 'deposit.paid', moves: 'deposit_credited' },
  // The payment differs from the charge in amount, time or payer.
  payment_in_doubt: { from: ['pending'], to: 'under_review', event: 'deposit.under_review', moves: 'deposit_held' },
  expiry: { from: ['pending'], to: 'expired', event: 'deposit.expired', moves: null },
  cancel: { from: ['pending'], to: 'cancelled', event: 'deposit.cancelled', moves: null },
  // The provider withdrew the charge.
  charge_removed: { from: ['pending'], to: 'failed', event: 'deposit.failed', moves: null },
  approve: { from: ['under_review'], to: 'paid', event: 'deposit.paid', moves: 'deposit_released' },
  return: { from: ['under_review'], to: 'returned', event: 'deposit.returned', moves: 'deposit_returned' },
  refund: { from: ['paid'], to: 'refunded', event: 'deposit.refunded', moves: 'deposit_refunded', reopens: true },
  chargeback: {
    from: ['paid'],
    to: 'chargeback',
    event: 'deposit.chargeback',
    moves: 'deposit_charged_back',
    reopens: true,
  },
} as const satisfies Record<string, DepositTransition>;

export type DepositTrigger = keyof typeof DEPOSIT_TRANSITIONS;

/** Every event or request that can move a deposit. */
export const DEPOSIT_TRIGGERS = Object.keys(DEPOSIT_TRANSITIONS) as DepositTrigger[];

const TRANSITIONS: readonly DepositTransition[] = Object.values(DEPOSIT_TRANSITIONS);

/** States without a running workflow: every transition out of them reopens the deposit. */
export const CLOSED_DEPOSIT_STATUSES = DEPOSIT_STATUSES.filter((status) =>
  TRANSITIONS.every(({ from, reopens }) => reopens === true || !from.includes(status)),
);

/** Closed states that a deposit enters without a payment. A later payment is recorded and changes no state (rule 1). */
export const LATE_PAYMENT_STATUSES = CLOSED_DEPOSIT_STATUSES.filter((status) =>
  TRANSITIONS.every(({ to, moves }) => to !== status || moves === null),
);

/** Whether the trigger may move a deposit that is in `status`. */
export function depositAllows(trigger: DepositTrigger, status: DepositStatus): boolean {
  return (DEPOSIT_TRANSITIONS[trigger].from as readonly DepositStatus[]).includes(status);
}

/** Whether the deposit's workflow has ended in this state. */
export function isDepositClosed(status: DepositStatus): boolean {
  return CLOSED_DEPOSIT_STATUSES.includes(status);
}

/** Whether a payment in this state is late: recorded, never credited. */
export function isLatePayment(status: DepositStatus): boolean {
  return LATE_PAYMENT_STATUSES.includes(status);
}

/** Time after `expires_at` in which a payment still counts, before the deposit expires. */
export const EXPIRY_GRACE_SECONDS = 120;

/** When an unpaid deposit expires: `expires_at` and the grace period, RFC 3339. */
export function expiryOf({ expiresAt }: Pick<DepositSnapshot, 'expiresAt'>): string {
  return new Date(Date.parse(expiresAt) + EXPIRY_GRACE_SECONDS * 1_000).toISOString();
}

/** How long `POST /deposits` waits for the provider before it answers 202. */
export const CREATION_ANSWER_BUDGET_MS = 7_000;

/** One person's decision in a review. */
export interface ReviewDecision {
  /** The id of the update that brought the decision, so that a repeat finds it stored. Never published. */
  readonly actId?: string;
  readonly person: string;
  readonly decision: 'approve' | 'refuse' | 'return';
  readonly reason: string;
  /** RFC 3339. */
  readonly at: string;
}

/** The people who decided, without repetition, in the order of their first decision. */
export function peopleOf(decisions: readonly { readonly person: string }[]): string[] {
  return [...new Set(decisions.map(({ person }) => person))];
}

/**
 * A deposit without personal data, as workflows hold it and rows map to it. Amounts are minor units,
 * which pass through Temporal by its converter (contract/temporal/payload-converter.ts); times are RFC 3339.
 */
export interface DepositSnapshot {
  readonly id: string;
  readonly operationId: string;
  readonly externalId: string;
  readonly status: DepositStatus;
  readonly version: number;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly paidAmountMinor: bigint | null;
  readonly method: 'pix';
  readonly playerRef: string;
  readonly provider: string;
  readonly instructions: DepositInstructions | null;
  readonly failureCode: string | null;
  readonly reviewReasons: readonly DepositReviewReason[];
  readonly decidedBy: readonly ReviewDecision[];
  readonly endToEndId: string | null;
  /** Whether a payer is stored. The payer is personal data and stays in PostgreSQL. */
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

/** The payer as it is stored (sealed) and served. `document` is null when the provider does not report it. */
export interface DepositPayer {
  readonly document: { readonly type: string; readonly number: string; readonly country: string } | null;
  readonly name: string | null;
  readonly matchesPlayer: boolean;
}
