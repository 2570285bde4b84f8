// The steps of a deposit. Each is safe to repeat: it finds what an earlier attempt stored.
import type { DepositOrder } from '../../../contract/temporal/payment.js';
import type {
  ActRef,
  Loaded,
  PaymentRef,
  RulesMode,
  Stored,
  VouchedRefusal,
} from '../../../contract/temporal/payment-steps.js';
import type { DepositSnapshot } from '../../../domain/payments/deposit.js';
import type { DepositRefusal } from '../../../domain/rules/verdicts.js';
import type { StaffActRefusal } from '../../../domain/staff.js';

/** A deposit as its process knows it: the stored object, without the people who decided and their texts. */
export interface DepositState {
  /** `decidedBy` is always empty. */
  readonly snapshot: DepositSnapshot;
  /** As in `Vouched`, also where the answer leaves out instructions that the process has. */
  readonly proof: string | null;
  /** A return to the payer was requested and is not answered yet. */
  readonly isReturning: boolean;
  /** Rises with every write of the row. */
  readonly revision: number;
}

export type StoredDeposit = Stored<DepositState>;

export type DepositOpening =
  /** `pending` or `failed`; `created` if the provider did not answer at once. */
  | ({ readonly kind: 'created' } & StoredDeposit)
  | VouchedRefusal<DepositRefusal>
  | { readonly kind: 'duplicate'; readonly existingId: string }
  /** The player's facts changed during every try. */
  | { readonly kind: 'undecided' };

/** `needs_rules`: a payment was found, but the rules gave no answer in this process, so nothing about it is stored. */
export type ChargeLookedUp = StoredDeposit & { readonly outcome: 'looked_up' | 'needs_rules' };

export type DepositActed = StoredDeposit & {
  /** Nothing changed. `invalid_state`: not allowed now. The others say why the person's act is not done. */
  readonly outcome: 'done' | 'invalid_state' | StaffActRefusal;
};

export type ReturnAsked = StoredDeposit & { readonly outcome: 'done' | 'pending' | 'refused' | 'invalid_state' };

/** Steps that need only PostgreSQL. */
export interface DepositStoreSteps {
  loadDeposit(input: PaymentRef): Promise<StoredDeposit & Loaded>;
  /** The operator's. */
  cancelDeposit(input: PaymentRef): Promise<DepositActed>;
  /** A person's, of the version that the person saw. */
  cancelDepositByStaff(input: ActRef): Promise<DepositActed>;
  /** Expires a pending deposit whose deadline has passed. Before that it fails, and is retried. */
  expireDeposit(input: PaymentRef): Promise<DepositActed>;
  /** The same before its deadline, in the sandbox only. */
  expireDepositNow(input: PaymentRef): Promise<DepositActed>;
  /** Credits a deposit under review. Refused while a return is under way, and for an amount that differs. */
  approveDeposit(input: ActRef): Promise<DepositActed>;
  /** Stores the return to the payer that a person requested. Nothing is sent yet. */
  requestReturn(input: ActRef): Promise<DepositActed>;
}

/** Steps that decide by the rules. They run where the rules are served. */
export interface DepositRulesSteps {
  /** Decides the deposit, inserts its row, requests its charge once within `chargeWithinMs`, and stores the answer. */
  openDeposit(input: {
    readonly order: DepositOrder;
    readonly at: string;
    readonly chargeWithinMs: number;
  }): Promise<DepositOpening>;
  /**
   * Looks the charge up, within a moment, and stores what follows: payments and reversals, in any order, repeated, late
   * or too large. Fails with NOT_AT_ONCE if the provider does not answer at once.
   */
  lookUpChargeBriefly(input: PaymentRef & { readonly provider: string }): Promise<ChargeLookedUp>;
}

/** Steps that call the provider and wait for it. An inconclusive answer is a retryable failure. */
export interface DepositProviderSteps {
  /** Creates the charge under a reference derived from the deposit, and stores the answer. */
  createCharge(input: PaymentRef & { readonly provider: string }): Promise<StoredDeposit>;
  lookUpCharge(input: PaymentRef & { readonly provider: string; readonly rules: RulesMode }): Promise<ChargeLookedUp>;
  /**
   * Requests the stored return from the provider until it is done or refused: a pending one is a retryable failure.
   * With `isLater` the pauses between its tries stay at their longest.
   */
  followReturn(input: PaymentRef & { readonly provider: string; readonly isLater?: boolean }): Promise<ReturnAsked>;
}

export type DepositSteps = DepositStoreSteps & DepositRulesSteps & DepositProviderSteps;
