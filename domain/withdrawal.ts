// The withdrawal: its states, what each awaits, and the table of every allowed transition (specification, "Withdrawal (PIX)").
import type { ReviewDecision } from './deposit.js';
import type { LedgerMovement } from './ledger.js';
import type { ConclusionAct } from './lost-payout.js';

export const WITHDRAWAL_STATUSES = [
  'requested',
  'under_review',
  'approved',
  'processing',
  'paid',
  'rejected',
  'failed',
  'cancelled',
  'returned',
] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** Everything that can move a withdrawal, or ask to. */
export const WITHDRAWAL_TRIGGERS = [
  'decided_automatic',
  'decided_manual',
  'blocked',
  'approve',
  'refuse',
  'cancel',
  'blocked_at_dispatch',
  'provider_replied',
  'payout_settled',
  'payout_failed',
  'payout_returned',
] as const;
export type WithdrawalTrigger = (typeof WITHDRAWAL_TRIGGERS)[number];

export interface WithdrawalTransition {
  readonly from: readonly WithdrawalStatus[];
  readonly to: WithdrawalStatus;
  readonly event: `withdrawal.${WithdrawalStatus}`;
  /** The money that moves with it: the whole amount. It is reserved (`withdrawal_reserved`) when the withdrawal is made. */
  readonly moves: LedgerMovement | null;
}

/** Every allowed move. A trigger from any other state changes nothing. */
export const WITHDRAWAL_TRANSITIONS = {
  decided_automatic: { from: ['requested'], to: 'approved', event: 'withdrawal.approved', moves: null },
  decided_manual: { from: ['requested'], to: 'under_review', event: 'withdrawal.under_review', moves: null },
  // After the 201: DICT named another holder, or the player or the key came onto a block list.
  blocked: { from: ['requested'], to: 'rejected', event: 'withdrawal.rejected', moves: 'withdrawal_released' },
  approve: { from: ['under_review'], to: 'approved', event: 'withdrawal.approved', moves: null },
  refuse: { from: ['under_review'], to: 'rejected', event: 'withdrawal.rejected', moves: 'withdrawal_released' },
  // From `approved` only while the send has not left; the workflow knows.
  cancel: {
    from: ['requested', 'under_review', 'approved'],
    to: 'cancelled',
    event: 'withdrawal.cancelled',
    moves: 'withdrawal_released',
  },
  blocked_at_dispatch: {
    from: ['approved'],
    to: 'cancelled',
    event: 'withdrawal.cancelled',
    moves: 'withdrawal_released',
  },
  // The provider's first reply, whatever it says; publishing the command is not enough.
  provider_replied: { from: ['approved'], to: 'processing', event: 'withdrawal.processing', moves: null },
  payout_settled: { from: ['processing'], to: 'paid', event: 'withdrawal.paid', moves: 'withdrawal_paid' },
  payout_failed: { from: ['processing'], to: 'failed', event: 'withdrawal.failed', moves: 'withdrawal_released' },
  // The receiving bank sent the money back: to the cash box, not to the player.
  payout_returned: { from: ['paid'], to: 'returned', event: 'withdrawal.returned', moves: 'withdrawal_returned' },
} as const satisfies Record<WithdrawalTrigger, WithdrawalTransition>;

/** States that no workflow waits in: what arrives later reopens the withdrawal for one rule. */
export const CLOSED_WITHDRAWAL_STATUSES = [
  'paid',
  'rejected',
  'failed',
  'cancelled',
  'returned',
] as const satisfies readonly WithdrawalStatus[];

/** Whether the trigger may move a withdrawal that is in `status`. */
export function withdrawalAllows(trigger: WithdrawalTrigger, status: WithdrawalStatus): boolean {
  return (WITHDRAWAL_TRANSITIONS[trigger].from as readonly WithdrawalStatus[]).includes(status);
}

/** Whether the withdrawal's workflow has ended in this state. */
export function isWithdrawalClosed(status: WithdrawalStatus): boolean {
  return (CLOSED_WITHDRAWAL_STATUSES as readonly WithdrawalStatus[]).includes(status);
}

/** How many different people must approve, by the reasons of the decision. */
export function approvalsNeeded(reasons: readonly string[]): 1 | 2 {
  return reasons.includes('DUAL_APPROVAL_REQUIRED') ? 2 : 1;
}

/** Refusal reasons that end a withdrawal that was accepted already; any other goes to people. */
export const REJECTING_REASONS = [
  'DOCUMENT_MISMATCH',
  'PLAYER_DOCUMENT_CHANGED',
  'PLAYER_BLOCKED',
  'DESTINATION_BLOCKED',
] as const;

/** How long a pending DICT check may hold a withdrawal in `requested`, and the pauses between look-ups. */
export const DICT_CHECK_BUDGET_SECONDS = 300;
export const DICT_BACKOFF_SECONDS = [2, 5, 10, 20, 40, 60, 60, 60, 60] as const;

export interface WithdrawalDecision {
  readonly mode: 'automatic' | 'manual';
  readonly reasons: readonly string[];
  readonly ruleSetVersion: number;
  readonly decidedBy: readonly ReviewDecision[];
  /** RFC 3339; null while `requested`, and while people still decide. */
  readonly decidedAt: string | null;
}

/** A withdrawal without personal data: what the workflow holds, queries answer and rows map to. */
export interface WithdrawalSnapshot {
  readonly id: string;
  readonly operationId: string;
  readonly externalId: string;
  readonly status: WithdrawalStatus;
  readonly version: number;
  readonly amountMinor: string;
  readonly currency: string;
  readonly feeMinor: string | null;
  readonly method: 'pix';
  readonly playerRef: string;
  readonly provider: string;
  readonly decision: WithdrawalDecision;
  readonly pspReference: string | null;
  readonly failureCode: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly paidAt: string | null;
  /** What people asked and confirmed of a send that was lost; absent where an earlier release wrote it. */
  readonly conclusions?: readonly ConclusionAct[];
}
