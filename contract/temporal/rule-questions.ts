// The questions that steps ask the rules engine. `at` is the time at which the step is run, RFC 3339, and the only
// clock of a decision.
import type { KeyOwnerFinding } from '../../domain/rules/verdicts.js';
import type { WithdrawalStage } from '../../domain/rules/withdrawal-rules.js';
import type { StoredDepositOrder, WithdrawalOrder } from './payment.js';

export interface DepositQuestion {
  readonly order: StoredDepositOrder;
  readonly at: string;
}

/** The charge that a payment is compared with. */
export interface ChargeQuestion {
  readonly id: string;
  readonly operationId: string;
  readonly playerRef: string;
  readonly environment: 'sandbox' | 'production';
  readonly chargedAmountMinor: bigint;
  readonly expiresAt: string;
  readonly at: string;
}

export interface PaymentQuestion extends ChargeQuestion {
  readonly paidAmountMinor: bigint;
  readonly paidAt: string;
  readonly payerMatch: 'match' | 'mismatch' | 'unknown';
  /** Sealed DepositPayer; null if the provider did not report the payer. */
  readonly sealedPayer: string | null;
}

export interface WithdrawalQuestion {
  readonly order: Omit<WithdrawalOrder, 'operatorReasons' | 'proof'>;
  /** The moment of the decision; in `review` that of the request, because its windows end there. */
  readonly at: string;
  readonly keyOwner: KeyOwnerFinding;
  /** In any stage but `creation` the withdrawal exists already, and its money is reserved. */
  readonly stage: WithdrawalStage;
}

export interface DispatchQuestion {
  readonly id: string;
  readonly operationId: string;
  readonly at: string;
}
