// The steps of deposits and withdrawals, and what they answer. Each is safe to repeat: it finds what an earlier attempt
// stored.
import type { DepositOrder, WithdrawalOrder } from '../../contract/temporal/payment.js';
import type {
  ActRef,
  Loaded,
  PaymentRef,
  ProcessAlertOrder,
  RulesMode,
  Stored,
  VouchedRefusal,
} from '../../contract/temporal/payment-steps.js';
import type { DepositSnapshot } from '../../domain/payments/deposit.js';
import type { Judgement, PayoutSendState, WithdrawalSnapshot } from '../../domain/payments/withdrawal.js';
import type { DepositRefusal, KeyOwnerFinding, PeopleWait, WithdrawalRefusal } from '../../domain/rules/verdicts.js';
import type { StaffActRefusal } from '../../domain/staff.js';

export interface AlertActivities {
  raiseAlert(input: ProcessAlertOrder & { readonly at: string }): Promise<void>;
}

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

/** A withdrawal as its process knows it: the stored object, without the people who decided and their texts. */
export interface WithdrawalState {
  /** `decision.decidedBy` is always empty, and `writeOffs` absent. */
  readonly snapshot: WithdrawalSnapshot;
  /** As in `Vouched`. */
  readonly proof: string | null;
  /** Approvals that count, of those that are needed. */
  readonly approvals: number;
  readonly judgement: Judgement;
  /** The key directory's answer; a withdrawal that needs no check keeps `not_asked`. */
  readonly keyOwner: KeyOwnerFinding;
  /** What is known of the send; `none` before the checks passed. */
  readonly send: PayoutSendState | 'none';
  /** When a pending request to write the payout off lapses; `null` without one. */
  readonly writeOffLapsesAt: string | null;
  /** Rises with every write of the row. */
  readonly revision: number;
}

export type StoredWithdrawal = Stored<WithdrawalState>;

export type WithdrawalOpening =
  | ({ readonly kind: 'created' } & StoredWithdrawal)
  | VouchedRefusal<WithdrawalRefusal>
  | { readonly kind: 'duplicate'; readonly existingId: string };

export type WithdrawalActed = StoredWithdrawal & {
  readonly outcome:
    | 'done'
    /** Not allowed now, or the send has left; nothing changed. */
    | 'invalid_state'
    /** The same person has already approved. */
    | 'same_person'
    /** The person's act cannot be done. */
    | StaffActRefusal
    /** The rules have not judged it yet: they must answer first. */
    | 'not_judged'
    /** The rules refuse it, so people can only refuse it. */
    | 'refused_by_rules';
};

/** `key_check_needed`: the verdict depends on the holder of the key, which was not looked up yet; nothing changed. */
export type WithdrawalDecided = StoredWithdrawal & { readonly outcome: 'decided' | 'key_check_needed' };

export type KeyOwnerLookedUp = StoredWithdrawal & {
  readonly finding: Exclude<KeyOwnerFinding, 'not_asked'>;
  /** The code of a missing answer; `null` if there was one. */
  readonly reason: string | null;
};

export type DispatchCleared = StoredWithdrawal & {
  readonly outcome:
    /** The permission may be taken within `CLEARANCE_SECONDS`. */
    | { readonly kind: 'clear' }
    | { readonly kind: 'wait'; readonly for: 'automatic_hours'; readonly until: string }
    | { readonly kind: 'wait'; readonly for: PeopleWait; readonly until: null }
    /** It is not `approved` any more, or its send may have left. */
    | { readonly kind: 'over' };
};

export type PayoutSent = StoredWithdrawal & {
  readonly outcome:
    /** The provider answered, and the answer is stored. */
    | { readonly kind: 'replied' }
    /** It left, or may have: look it up. */
    | { readonly kind: 'unknown'; readonly reason: string }
    /** Conclusive: nothing left, and that is stored. A later send is still the first. */
    | { readonly kind: 'not_sent'; readonly reason: string }
    /** The process and the operation belong to different environments: refused before anything left. */
    | { readonly kind: 'guarded' }
    /** The account at the provider does not cover it: nothing left. */
    | { readonly kind: 'account_short' }
    /** The checks are too old, were never made, or no longer hold: nothing left. */
    | { readonly kind: 'not_cleared' }
    /** The database does not permit it: nothing was sent, and staff are alerted. */
    | { readonly kind: 'not_in_books' };
};

export type PayoutLookedUp = StoredWithdrawal & { readonly outcome: 'found' | 'nothing' };

export type WriteOffDecided = StoredWithdrawal & {
  readonly outcome:
    | { readonly kind: 'requested'; readonly lapsesAt: string }
    | { readonly kind: 'written_off' }
    | { readonly kind: 'invalid_state' }
    /** The request to confirm no longer exists: the payout was found, or the request lapsed. */
    | { readonly kind: 'lapsed' }
    | { readonly kind: 'too_early'; readonly lookUps: number | null; readonly notBefore: string | null }
    | { readonly kind: 'same_person' }
    | { readonly kind: 'other_evidence' }
    /** The person's act cannot be done. */
    | { readonly kind: StaffActRefusal }
    /** A second person decides: look the payout up again, then call again with `isLookedUp`. */
    | { readonly kind: 'look_once_more' };
};

/** Steps that need only PostgreSQL. */
export interface WithdrawalStoreSteps {
  loadWithdrawal(input: PaymentRef): Promise<StoredWithdrawal & Loaded>;
  /** The operator's. */
  cancelWithdrawal(input: PaymentRef): Promise<WithdrawalActed>;
  /** A person's, of the version that the person saw. */
  cancelWithdrawalByStaff(input: ActRef): Promise<WithdrawalActed>;
  approveWithdrawal(input: ActRef): Promise<WithdrawalActed>;
  refuseWithdrawal(input: ActRef): Promise<WithdrawalActed>;
  decideWriteOff(input: ActRef & { readonly isLookedUp: boolean }): Promise<WriteOffDecided>;
}

/** Steps that decide by the rules. They run on the queue that serves the rules; `silent` runs on any. */
export interface WithdrawalRulesSteps {
  /**
   * Decides the withdrawal, looks the holder of its key up once where the rules need it, and inserts the row in its
   * decided state together with the reservation of its money.
   */
  openWithdrawal(input: {
    readonly order: WithdrawalOrder;
    readonly at: string;
    readonly rules: RulesMode;
  }): Promise<WithdrawalOpening>;
  /** Decides a `requested` withdrawal by the stored holder of its key, or without one when the budget is spent. */
  decideRequested(
    input: PaymentRef & { readonly rules: RulesMode; readonly isBudgetSpent: boolean },
  ): Promise<WithdrawalDecided>;
  /** Judges a withdrawal under review that the rules never judged. Changes its reasons, not its state. */
  judgeReviewed(input: PaymentRef & { readonly isKeyAsked: boolean }): Promise<WithdrawalDecided>;
  /** Checks lists, operation, hours and cash box before the send. A list hit cancels the withdrawal. */
  clearDispatch(input: PaymentRef): Promise<DispatchCleared>;
}

/** Provider steps that start in the workflow's own task. */
export interface WithdrawalBriefSteps {
  /** As `lookUpPayout`. Fails with NOT_AT_ONCE if the provider does not answer within a moment. */
  lookUpPayoutBriefly(input: Parameters<WithdrawalProviderSteps['lookUpPayout']>[0]): Promise<PayoutLookedUp>;
}

/**
 * Steps that call the provider and wait for it. An inconclusive answer is a retryable failure, unless a step's comment
 * says otherwise.
 */
export interface WithdrawalProviderSteps {
  /**
   * Looks the holder of the key up once and stores the directory's answer. A key of another holder rejects a
   * `requested` withdrawal even while the rules are down.
   */
  lookUpKeyOwner(input: PaymentRef & { readonly provider: string }): Promise<KeyOwnerLookedUp>;
  /** Takes the permission to send and sends, once. Never retried: a lost attempt has an unknown outcome. */
  sendPayout(input: PaymentRef & { readonly provider: string }): Promise<PayoutSent>;
  /**
   * Looks the payout up by its reference and stores what follows. `isNoticed` is true if a callback named the payout
   * since the last look-up: the provider knows it, so the count of look-ups without a trace starts again.
   */
  lookUpPayout(
    input: PaymentRef & { readonly provider: string; readonly isNoticed?: boolean },
  ): Promise<PayoutLookedUp>;
  /**
   * The same until its state changes: until then it is a retryable failure. With `isLater` the pauses between its tries
   * stay at their longest.
   */
  followPayout(
    input: PaymentRef & { readonly provider: string; readonly isLater?: boolean },
  ): Promise<StoredWithdrawal>;
}

export type WithdrawalSteps = WithdrawalStoreSteps &
  WithdrawalRulesSteps &
  WithdrawalBriefSteps &
  WithdrawalProviderSteps;
