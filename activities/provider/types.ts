// The activities that call the payment provider, and what they answer.
import type { DepositOrder } from '../../contract/temporal/deposit.js';
import type { WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import type { ChargeFindings } from '../../domain/charge-findings.js';
import type { ChargeResult, ReturnResult } from '../../domain/deposit-acts.js';
import type { KeyOwnerFinding } from '../../domain/rules/verdicts.js';

export interface PayoutFinding {
  readonly status: 'processing' | 'paid' | 'failed';
  readonly endToEndId: string | null;
  readonly failureCode: string | null;
  readonly paidAt: string | null;
  readonly returned: boolean;
}

/** An attempt of a workflow run to send, counted from 1. Each claims the one permission under its own name. */
export interface SendAttempt {
  readonly attempt: number;
  /** The last attempt that is known to have sent nothing, whose permission this one may take over; 0: none. */
  readonly takesOverFrom: number;
}

export type SendResult =
  | { readonly kind: 'reply'; readonly payout: PayoutFinding }
  /** Conclusive: nothing left. A later try is still the first send. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** The process and the operation belong to different environments: refused before anything left. */
  | { readonly kind: 'guarded' }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface KeyOwnerAnswer {
  readonly finding: Exclude<KeyOwnerFinding, 'not_asked'>;
  readonly endToEndId: string | null;
  readonly retryAfterSeconds: number | null;
  /** A code that says why there was no answer; null if there was one. */
  readonly reason: string | null;
}

/**
 * The calls about a charge. They are asked by the steps of deposits, in the same process. An inconclusive answer throws
 * a retryable failure.
 */
export interface ChargeCalls {
  createCharge(input: { order: DepositOrder }): Promise<ChargeResult>;
  lookUpCharge(input: { order: DepositOrder }): Promise<ChargeFindings>;
  returnPayment(input: { order: DepositOrder; endToEndId: string; amountMinor: string }): Promise<ReturnResult>;
}

/** An inconclusive answer throws a retryable failure, unless the result type has a value for it. */
export interface ProviderActivities {
  lookUpKeyOwner(input: { order: WithdrawalOrder }): Promise<KeyOwnerAnswer>;
  sendPayout(input: { order: WithdrawalOrder; lookupEndToEndId: string | null } & SendAttempt): Promise<SendResult>;
  lookUpPayout(input: {
    order: WithdrawalOrder;
  }): Promise<{ kind: 'found'; payout: PayoutFinding } | { kind: 'not_found' }>;
}
