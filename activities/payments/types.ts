// The steps that deposits and withdrawals have in common, or that wrap theirs.
import type { PaymentRef, ProcessAlertOrder } from '../../contract/temporal/payment-steps.js';
import type { PayoutLookedUp, StoredWithdrawal } from '../withdrawals/types.js';

type ProviderRef = PaymentRef & { readonly provider: string };

/** Provider steps that start in the workflow's own task. They fail with NOT_AT_ONCE after a moment. */
export interface BriefProviderSteps {
  lookUpPayoutBriefly(input: ProviderRef & { readonly isNoticed?: boolean }): Promise<PayoutLookedUp>;
}

/** Steps that end when something changed. Until then they fail, and Temporal repeats them without an event. */
export interface FollowSteps {
  /** Looks the payout up until its state changes. With `isLater` the pauses between its tries stay at their longest. */
  followPayout(input: ProviderRef & { readonly isLater?: boolean }): Promise<StoredWithdrawal>;
}

export interface AlertActivities {
  raiseAlert(input: ProcessAlertOrder & { readonly at: string }): Promise<void>;
}
