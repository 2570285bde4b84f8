// The calls to the payment provider that steps make, and what they answer.
import type { StoredDepositOrder, StoredWithdrawalOrder } from '../../contract/temporal/payment.js';
import type { ChargeFindings } from '../../domain/payments/charge-findings.js';
import type { ChargeResult, ReturnResult } from '../../domain/payments/deposit-acts.js';
import type { PayoutFinding } from '../../domain/payments/payout-findings.js';
import type { KnownSpan } from '../../domain/provider-clock.js';
import type { KeyOwnerFinding } from '../../domain/rules/verdicts.js';
import type { PayoutRequest } from '../../providers/port.js';

export type SendResult =
  | { readonly kind: 'reply'; readonly payout: PayoutFinding }
  /** Conclusive: nothing left. A later try is still the first send. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** As conclusive: the account lacks the money. */
  | { readonly kind: 'no_funds' }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface KeyOwnerAnswer {
  readonly finding: Exclude<KeyOwnerFinding, 'not_asked'>;
  readonly endToEndId: string | null;
  readonly retryAfterSeconds: number | null;
  /** The code of a missing answer; `null` if there was one. */
  readonly reason: string | null;
}

/** The account that the calls go to. */
interface ByContract {
  /** The version of the contract by which the provider's answers are read: see `Provider.contract`. */
  contractOf(order: { readonly provider: string }): string;
}

/** `span`: what the provider's times are compared with. */
interface Question<Order> {
  readonly order: Order;
  readonly span: KnownSpan;
}
type DepositQuestion = Question<StoredDepositOrder>;

/**
 * Calls about charges, made by the steps of deposits in the same process. An inconclusive answer throws a retryable
 * failure.
 */
export interface ChargeCalls extends ByContract {
  createCharge(input: DepositQuestion): Promise<ChargeResult>;
  lookUpCharge(input: DepositQuestion): Promise<ChargeFindings>;
  /** `reference`: the provider's id of this return (`returnReferenceOf`). */
  returnPayment(
    input: DepositQuestion & { endToEndId: string; reference: string; amountMinor: bigint },
  ): Promise<ReturnResult>;
}

/**
 * Calls about payouts. An inconclusive answer throws a retryable failure, unless the result type has a value for it.
 */
export interface PayoutCalls extends ByContract {
  /** Asks the key directory once. */
  lookUpKeyOwner(input: { order: StoredWithdrawalOrder }): Promise<KeyOwnerAnswer>;
  /** Whether the account covers it, as far as the provider reports. A missing answer does not prevent the send. */
  isCovered(input: { order: StoredWithdrawalOrder }): Promise<boolean>;
  /**
   * Opens what the send needs, and returns the function that sends once. Only the holder of the permission may call it.
   * `mayLeave` is asked when the connection is open, before the first byte leaves: `false` sends nothing.
   */
  preparePayout(
    input: Question<StoredWithdrawalOrder> & { lookupEndToEndId: string | null },
  ): (mayLeave: PayoutRequest['mayLeave']) => Promise<SendResult>;
  lookUpPayout(
    input: Question<StoredWithdrawalOrder>,
  ): Promise<{ kind: 'found'; payout: PayoutFinding } | { kind: 'not_found' }>;
}
