// The rules engine as workflows see it. Each call reads the facts in one statement, decides, stores the decision whole.
import type { DepositOrder } from '../../contract/temporal/deposit.js';
import type { WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import type {
  DepositVerdict,
  DispatchVerdict,
  KeyOwnerFinding,
  PaymentVerdict,
  WithdrawalVerdict,
} from '../../domain/rules/verdicts.js';

/** `at` is workflow time, RFC 3339, and the only clock of a decision. */
export interface DepositQuestion {
  readonly order: DepositOrder;
  readonly at: string;
}

/** The charge that a payment is judged against. */
export interface ChargeQuestion {
  readonly depositId: string;
  readonly operationId: string;
  readonly playerRef: string;
  readonly environment: 'sandbox' | 'production';
  readonly chargedAmountMinor: string;
  readonly expiresAt: string;
  readonly at: string;
}

export interface PaymentQuestion extends ChargeQuestion {
  readonly paidAmountMinor: string;
  readonly paidAt: string;
  readonly payerMatch: 'match' | 'mismatch' | 'unknown';
  /** Sealed DepositPayer; null where the provider told nothing of the payer. */
  readonly sealedPayer: string | null;
}

export interface WithdrawalQuestion {
  readonly order: WithdrawalOrder;
  readonly at: string;
  readonly keyOwner: KeyOwnerFinding;
  /** `dict`: the withdrawal exists already (`requested`) and its money is reserved. */
  readonly stage: 'creation' | 'dict';
}

export interface DispatchQuestion {
  readonly withdrawalId: string;
  readonly operationId: string;
  readonly at: string;
}

/** Expected answers are verdicts; a fault (no database, no rule set) throws and becomes RULES_UNAVAILABLE. */
export interface RulesActivities {
  decideDeposit(question: DepositQuestion): Promise<DepositVerdict>;
  assessPayment(question: PaymentQuestion): Promise<PaymentVerdict>;
  decideWithdrawal(question: WithdrawalQuestion): Promise<WithdrawalVerdict>;
  decideDispatch(question: DispatchQuestion): Promise<DispatchVerdict>;
}
