// The withdrawal: its states, the table of every allowed transition, and its snapshot (specification, "Withdrawal
// (PIX)").
import type { PaymentPhase, ReviewDecision } from './deposit.js';
import type { LedgerMovement } from '../ledger.js';
import type { ReasonCode } from '../rules/reason-sentences.js';
import type { WriteOffAct } from './write-off.js';

export const WITHDRAWAL_STATUSES = [
  /** Waits for the key directory to name the holder of the PIX key. */
  'requested',
  /** Waits for one or two people to approve, or one to refuse. */
  'under_review',
  /** Waits for the checks before the send, then for the provider's first answer. */
  'approved',
  /** Accepted by the provider: waits for its final state. */
  'processing',
  /** Paid out. Waits for nothing; a return by the receiving bank reopens it. */
  'paid',
  /** Refused by a rule or a person. Final. */
  'rejected',
  /** The provider did not pay. Final. */
  'failed',
  /** Cancelled before the send. Final. */
  'cancelled',
  /** Sent back by the receiving bank after it was paid. Final. */
  'returned',
] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** An open withdrawal has its amount reserved in `pending_out`. */
export const WITHDRAWAL_PHASES = {
  requested: 'open',
  under_review: 'open',
  approved: 'open',
  processing: 'open',
  paid: 'settled',
  rejected: 'void',
  failed: 'void',
  cancelled: 'void',
  returned: 'void',
} as const satisfies Record<WithdrawalStatus, PaymentPhase>;

/**
 * The rules' judgement of a withdrawal. `none`: they did not answer, and nothing is sent before they do. `refused`: no
 * person may approve it.
 */
export const JUDGEMENTS = ['none', 'passed', 'refused'] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

export const PAYOUT_SEND_STATES = [
  /** The checks before the send passed, a moment ago. */
  'cleared',
  /** An attempt has the permission: it sent the payout, or may have. Only a look-up says more. */
  'claimed',
  /** The attempt proved that nothing left. Another one may take the permission. */
  'not_sent',
  /** The provider has the payout. */
  'known',
] as const;
export type PayoutSendState = (typeof PAYOUT_SEND_STATES)[number];

/** The send has left, or may have: only the provider's answer counts. */
export function mayHaveLeft(send: PayoutSendState | 'none'): boolean {
  return send === 'claimed' || send === 'known';
}

/** How long the checks before a send count. An attempt that takes longer checks again. */
export const CLEARANCE_SECONDS = 10;

export interface WithdrawalTransition {
  readonly from: readonly WithdrawalStatus[];
  readonly to: WithdrawalStatus;
  /** The event that the transition publishes. */
  readonly event: `withdrawal.${WithdrawalStatus}`;
  /**
   * The movement of the whole amount, of a return only of its last part; `null` when no money moves. Creation reserves
   * the amount (`withdrawal_reserved`).
   */
  readonly moves: LedgerMovement | null;
  /** The transition happens after the withdrawal's workflow ended, and reopens it. */
  readonly reopens?: true;
}

/** Every allowed transition. A trigger in any other state changes nothing. */
export const WITHDRAWAL_TRANSITIONS = {
  decided_automatic: { from: ['requested'], to: 'approved', event: 'withdrawal.approved', moves: null },
  decided_manual: { from: ['requested'], to: 'under_review', event: 'withdrawal.under_review', moves: null },
  // After the 201: DICT named another holder, or the player or key was added to a block list.
  blocked: { from: ['requested'], to: 'rejected', event: 'withdrawal.rejected', moves: 'withdrawal_released' },
  approve: { from: ['under_review'], to: 'approved', event: 'withdrawal.approved', moves: null },
  refuse: { from: ['under_review'], to: 'rejected', event: 'withdrawal.rejected', moves: 'withdrawal_released' },
  // In `approved` only before the send leaves: see mayHaveLeft.
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
  // The provider's first answer about the payout, whatever it says.
  provider_replied: { from: ['approved'], to: 'processing', event: 'withdrawal.processing', moves: null },
  payout_settled: { from: ['processing'], to: 'paid', event: 'withdrawal.paid', moves: 'withdrawal_paid' },
  payout_failed: { from: ['processing'], to: 'failed', event: 'withdrawal.failed', moves: 'withdrawal_released' },
  // The receiving bank sent the money back. It goes to the cash box, not to the player.
  payout_returned: {
    from: ['paid'],
    to: 'returned',
    event: 'withdrawal.returned',
    moves: 'withdrawal_returned',
    reopens: true,
  },
} as const satisfies Record<string, WithdrawalTransition>;

export type WithdrawalTrigger = keyof typeof WITHDRAWAL_TRANSITIONS;

/** Every event or request that can move a withdrawal. */
export const WITHDRAWAL_TRIGGERS = Object.keys(WITHDRAWAL_TRANSITIONS) as WithdrawalTrigger[];

const TRANSITIONS: readonly WithdrawalTransition[] = Object.values(WITHDRAWAL_TRANSITIONS);

/** States without a running workflow: every transition out of them reopens the withdrawal. */
export const CLOSED_WITHDRAWAL_STATUSES = WITHDRAWAL_STATUSES.filter((status) =>
  TRANSITIONS.every(({ from, reopens }) => reopens === true || !from.includes(status)),
);

/** Whether the trigger may move a withdrawal that is in `status`. */
export function withdrawalAllows(trigger: WithdrawalTrigger, status: WithdrawalStatus): boolean {
  return (WITHDRAWAL_TRANSITIONS[trigger].from as readonly WithdrawalStatus[]).includes(status);
}

/** Whether the withdrawal's workflow has ended in this state. */
export function isWithdrawalClosed(status: WithdrawalStatus): boolean {
  return CLOSED_WITHDRAWAL_STATUSES.includes(status);
}

/** The reason for which two different people must approve. */
export const NEEDS_TWO_PEOPLE = 'DUAL_APPROVAL_REQUIRED' satisfies ReasonCode;

/** The number of different people who must approve, by the reasons of the decision. */
export function approvalsNeeded(reasons: readonly string[]): 1 | 2 {
  return reasons.includes(NEEDS_TWO_PEOPLE) ? 2 : 1;
}

/** Refusal reasons that reject a withdrawal after its creation. Any other reason sends it to review. */
export const REJECTING_REASONS = [
  'DOCUMENT_MISMATCH',
  'PLAYER_DOCUMENT_CHANGED',
  'PLAYER_BLOCKED',
  'DESTINATION_BLOCKED',
] as const satisfies readonly ReasonCode[];

/** Whether the reason rejects a withdrawal after its creation. */
export function isRejecting(reason: string): boolean {
  return (REJECTING_REASONS as readonly string[]).includes(reason);
}

/** How long a withdrawal stays `requested` for its DICT check, and the pauses between look-ups. */
export const DICT_CHECK_BUDGET_SECONDS = 300;
export const DICT_BACKOFF_SECONDS = [2, 5, 10, 20, 40, 60, 60, 60, 60] as const;

export interface WithdrawalDecision {
  readonly mode: 'automatic' | 'manual';
  readonly reasons: readonly string[];
  readonly ruleSetVersion: number;
  readonly decidedBy: readonly ReviewDecision[];
  /** RFC 3339; `null` in `requested` and while people still decide. */
  readonly decidedAt: string | null;
}

/**
 * A withdrawal without personal data, as workflows hold it and rows map to it. Amounts and times as in
 * `DepositSnapshot`.
 */
export interface WithdrawalSnapshot {
  readonly id: string;
  readonly operationId: string;
  readonly externalId: string;
  readonly status: WithdrawalStatus;
  readonly version: number;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly feeMinor: bigint | null;
  readonly method: 'pix';
  readonly playerRef: string;
  readonly provider: string;
  readonly decision: WithdrawalDecision;
  readonly pspReference: string | null;
  readonly failureCode: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly paidAt: string | null;
  /** The decisions to write the payout off; absent until the first. */
  readonly writeOffs?: readonly WriteOffAct[];
}
