// The resources of the gateway's contract as an operator sees them. Names and shapes are the wire's own.
// Lists that may grow are open: an unknown value is tolerated, is not terminal, and never moves money.
// Written by `npm run docs` from the served contract: change contract/http/schemas/, not this file.

/** One of the known values, or one that a later version of the service adds. */
export type Open<Known extends string> = Known | (string & {});

/** RFC 3339 in UTC. */
export type Timestamp = string;

/** A page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

export type Method = Open<'pix' | 'card' | 'crypto' | 'bank_transfer' | 'boleto' | 'wire'
  | 'swift'>;

export type DepositStatus = Open<'created' | 'pending' | 'under_review' | 'paid' | 'expired' | 'cancelled'
  | 'failed' | 'returned' | 'refunded' | 'chargeback'>;

export type WithdrawalStatus = Open<'requested' | 'under_review' | 'approved' | 'processing' | 'paid'
  | 'rejected' | 'failed' | 'cancelled' | 'returned'>;

export type SandboxWithdrawalAction = Open<'approve' | 'reject' | 'pay' | 'fail' | 'return' | 'compliance_hold'
  | 'compliance_clear' | 'compliance_reject' | 'send' | 'transit'
  | 'recall_accept' | 'recall_reject'>;

export interface Balance {
  readonly available: Money;
  /** Received and not yet credited (deposits in `under_review`). */
  readonly pending_in: Money;
  /** Reserved for withdrawals. */
  readonly pending_out: Money;
  readonly as_of: Timestamp;
}

export interface BalanceList {
  readonly data: readonly Balance[];
}

export interface Currency {
  readonly code: string;
  readonly kind: Open<'fiat' | 'crypto'>;
  readonly exponent: number;
  readonly methods: readonly Method[];
  readonly method_details: readonly MethodDetail[];
}

export interface CurrencyList {
  readonly data: readonly Currency[];
}

export interface DeliveryLogEntry {
  readonly event_id: string;
  readonly type: string;
  readonly object_id: string;
  readonly attempt: number;
  readonly sent_at: Timestamp;
  readonly response_status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
  readonly next_attempt_at: Timestamp | null;
}

export interface Deposit {
  readonly id: string;
  readonly external_id: string;
  /** Open list: an unknown status is non-terminal and moves no money. */
  readonly status: DepositStatus;
  readonly version: number;
  readonly amount: Money;
  readonly paid_amount: Money | null;
  readonly method: string;
  readonly player_ref: string;
  /** Filled once a payment was recorded; for display and audit only. */
  readonly payer: Payer | null;
  readonly instructions: {
    readonly pix: PixInstructions;
  } | null;
  readonly failure_code: string | null;
  readonly review_reasons: readonly string[];
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  readonly paid_at: Timestamp | null;
  readonly expires_at: Timestamp;
}

export interface Fee {
  readonly type: string;
  readonly amount: Money;
  readonly bearer: Open<'operator' | 'beneficiary' | 'payer'>;
  readonly estimated: boolean;
}

export interface FieldError {
  readonly field: string;
  readonly message: string;
  /** Open list; an unknown reason is a general validation error. */
  readonly reason: string;
}

export interface GatewayEvent {
  readonly id: string;
  /** Open list: answer 200 to an unknown type and move no money. */
  readonly type: string;
  readonly created_at: Timestamp;
  readonly operation_id: string;
  readonly object_id: string;
  readonly object_version: number;
  readonly data: {
    /** A Deposit, a Withdrawal or a RuleSet. */
    readonly object: Readonly<Record<string, unknown>>;
  };
}

export interface LoggedRequest {
  readonly trace_id: string;
  readonly received_at: Timestamp;
  readonly key_id: string;
  /** Whether the key’s secret signed it. Anybody who knows the key’s id can send one that it did not sign. */
  readonly signed: boolean;
  readonly method: string;
  /** The template of the path; null if there is no such route. */
  readonly route: string | null;
  readonly object_id: string | null;
  readonly status: number;
  /** Why it was refused; null for a 2xx. */
  readonly code: string | null;
  readonly detail: string | null;
  readonly errors: readonly ({
    /** Null where the sender chose the name. */
    readonly field: string | null;
    readonly reason: string;
  })[];
  /** Whether it was answered with the recorded answer of an earlier one. */
  readonly replayed: boolean;
  readonly duration_ms: number;
  /** Where it came from, as the gateway saw it. */
  readonly address: string;
  /** `Svc-Timestamp`; null if malformed. */
  readonly signed_timestamp: string | null;
  /** `Svc-Nonce`; null if malformed. */
  readonly signed_nonce: string | null;
  /** Of the body’s bytes as received: the last signed line. */
  readonly body_sha256: string;
  /** SHA-256 of the six signed lines as the gateway reads them. Compare it with that of yours. */
  readonly canonical_sha256: string | null;
}

export interface MethodDetail {
  readonly method: Method;
  /** Body fields that this operation must send on POST /deposits. */
  readonly deposit_requirements: readonly string[];
  /** Informative codes; ignore unknown ones. */
  readonly psp_notes: readonly string[];
}

export interface Money {
  /** Smallest unit (centavos for BRL), as a string. */
  readonly amount: string;
  /** ISO 4217 code, or crypto asset with network. */
  readonly currency: string;
}

export interface NewDeposit {
  /** The operator’s own id, unique per operation and type. */
  readonly external_id: string;
  readonly player: Player;
  readonly amount: Money;
  /** Only `pix` is enabled. */
  readonly method: Method;
  readonly expires_in_seconds?: number;
  readonly locale?: string;
  /** Up to 20 keys with string values. */
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface NewWithdrawal {
  /** The operator’s own id, unique per operation and type. */
  readonly external_id: string;
  readonly player: Player;
  readonly amount: Money;
  /** Only `pix` is enabled. */
  readonly method: Method;
  /** Exactly one destination, keyed by the same name as `method`. */
  readonly destination: {
    readonly pix?: PixDestination;
    readonly card?: Readonly<Record<string, unknown>>;
    readonly crypto?: Readonly<Record<string, unknown>>;
    readonly bank_transfer?: Readonly<Record<string, unknown>>;
    readonly boleto?: Readonly<Record<string, unknown>>;
    readonly wire?: Readonly<Record<string, unknown>>;
    readonly swift?: Readonly<Record<string, unknown>>;
  };
  readonly review_requested?: boolean;
  /** The operator’s own reasons, shown with the prefix `OP:`. */
  readonly review_reasons?: readonly string[];
  /** Informative; never enables the automatic path. */
  readonly player_context?: {
    readonly total_deposited?: string | Money;
    readonly total_withdrawn?: string | Money;
    readonly account_created_at?: Timestamp;
    readonly net_gaming_result?: string | Money;
  };
  /** Up to 20 keys with string values. */
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface Payer {
  readonly document: {
    readonly type: string;
    readonly number: string;
    readonly country: string;
  } | null;
  readonly name: string | null;
  readonly matches_player: boolean;
}

export interface Ping {
  readonly ok: true;
  readonly operation_id: string;
  readonly environment: Open<'production' | 'sandbox'>;
  readonly server_time: Timestamp;
}

export interface PixDestination {
  readonly key_type: 'cpf' | 'cnpj' | 'email' | 'phone' | 'random';
  readonly key: string;
}

export interface PixInstructions {
  readonly copy_paste: string;
  readonly expires_at: Timestamp;
  readonly qr_code_png_base64?: string;
}

export interface Player {
  /** Opaque and immutable; never an e-mail, a phone or a tax number. */
  readonly external_ref: string;
  readonly document: PlayerDocument;
  /** At most 120 characters (max_length). */
  readonly name?: string;
  /** local@domain.tld, at most 254 characters; only reserved domains outside production. */
  readonly email?: string;
  readonly ip?: string;
  readonly device_id?: string;
  readonly birth_date?: string;
  readonly kyc_level?: string;
}

/** Digits only for CPF and CNPJ. */
export interface PlayerDocument {
  readonly type: 'CPF' | 'CNPJ' | 'PASSPORT' | 'NATIONAL_ID' | 'TAX_ID';
  readonly number: string;
  readonly country: string;
}

export interface PlayerLimits {
  readonly player_ref: string;
  readonly currency: string;
  readonly total_deposited: Money;
  readonly total_withdrawn: Money;
  /** The X of the X-times rule, a decimal. */
  readonly auto_multiplier: string;
  /** The amount left under the X-times rule. Other rules may still require a review. */
  readonly auto_withdrawal_remaining: Money;
  readonly blocked: boolean;
}

/** RFC 9457 problem details. */
export interface Problem {
  /** `{docs_url}/errors/<code>` */
  readonly type: string;
  /** Equals `code`. */
  readonly title: string;
  readonly status: number;
  /** Stable; the only field to test. An unknown code is handled by its HTTP class. */
  readonly code: string;
  readonly detail: string;
  /** Also in the header `Svc-Trace-Id`; on a replayed response, that of the first run. */
  readonly trace_id: string;
  readonly retryable: boolean;
  /** On `duplicate_external_id` and `invalid_state_transition`: the deposit or withdrawal as it is. */
  readonly existing?: Deposit | Withdrawal;
  readonly errors?: readonly FieldError[];
}

export interface ProposedRuleSet {
  readonly version: number;
  readonly timezone?: string;
  readonly currencies: Readonly<Record<string, {
    readonly auto_multiplier?: string;
    readonly deposit_min?: string;
    readonly deposit_max?: string;
    readonly withdrawal_min?: string;
    readonly withdrawal_max?: string;
    readonly auto_max_per_withdrawal?: string;
    readonly auto_max_per_day?: string;
    readonly dual_approval_above?: string;
    readonly max_withdrawals_per_day?: number;
    readonly first_withdrawal_manual?: boolean;
    readonly pix_key_change_cooldown_hours?: number;
    readonly require_payer_matches_player?: boolean;
    readonly auto_hours?: {
      readonly from: string;
      readonly to: string;
    } | null;
  }>>;
  readonly bank_transfers?: {
    readonly method_limits?: Readonly<Record<string, Readonly<Record<string, {
      readonly deposit_min?: string;
      readonly deposit_max?: string;
      readonly withdrawal_min?: string;
      readonly withdrawal_max?: string;
      readonly auto_max_per_withdrawal?: string | null;
    }>>>>;
    readonly swift_auto_enabled?: boolean;
    readonly default_charge_bearer?: Open<'OUR' | 'SHA' | 'BEN'>;
    readonly allowed_charge_bearers?: readonly Open<'OUR' | 'SHA' | 'BEN'>[];
    readonly beneficiary_change_cooldown_hours?: number;
    readonly screening_required_above?: Readonly<Record<string, string>> | null;
    readonly blocked_countries?: readonly string[];
    readonly deposit_partial_accept_allowed?: boolean;
    readonly deposit_excess_policy?: Open<'review' | 'return_excess'>;
    readonly unmatched_return_after_business_days?: number;
  };
  readonly fx?: {
    readonly enabled?: boolean;
    readonly max_spread_bps?: number;
    readonly quote_ttl_seconds?: number;
    readonly requote_tolerance_bps?: number;
    readonly risk_bearer?: Open<'service' | 'operator' | 'beneficiary'>;
  };
}

export type QuoteRequest = Readonly<Record<string, unknown>>;

export interface Recall {
  readonly reason_code: 'duplicate' | 'wrong_beneficiary' | 'wrong_amount' | 'fraud_suspected' | 'other';
  readonly justification?: string;
}

export interface Receipt {
  readonly id: string;
  readonly [field: string]: unknown;
}

export interface Reconciliation {
  readonly date: string;
  readonly currency: string;
  readonly items: readonly ReconciliationItem[];
  readonly next_cursor: string | null;
  /** On the last page only. */
  readonly totals: ReconciliationTotals | null;
  /** SHA-256 of the day’s canonical list; on the last page only. */
  readonly digest: string | null;
}

export interface ReconciliationItem {
  readonly object_id: string;
  readonly external_id: string;
  readonly kind: Open<'deposit' | 'withdrawal' | 'refund' | 'chargeback' | 'fee' | 'return' | 'recall' | 'receipt'>;
  readonly status: string;
  readonly amount: Money;
  readonly fee: Money | null;
  readonly settled_at: Timestamp;
}

export interface ReconciliationTotals {
  readonly deposits_paid: Money;
  readonly withdrawals_paid: Money;
  readonly refunds: Money;
  readonly chargebacks: Money;
  readonly fees: Money;
  readonly count: number;
}

export interface RuleChange {
  readonly id: string;
  readonly status: 'pending_approval';
}

export interface RuleChangeProposal {
  readonly rules: ProposedRuleSet;
  readonly justification: string;
}

export interface RuleSet {
  readonly version: number;
  readonly timezone: string;
  readonly currencies: Readonly<Record<string, {
    readonly auto_multiplier: string;
    readonly deposit_min?: string;
    readonly deposit_max?: string;
    readonly withdrawal_min?: string;
    readonly withdrawal_max?: string;
    readonly auto_max_per_withdrawal?: string;
    readonly auto_max_per_day?: string;
    readonly dual_approval_above?: string;
    readonly max_withdrawals_per_day?: number;
    readonly first_withdrawal_manual: boolean;
    readonly pix_key_change_cooldown_hours: number;
    readonly require_payer_matches_player: boolean;
    readonly auto_hours: {
      readonly from: string;
      readonly to: string;
    } | null;
  }>>;
  readonly bank_transfers?: {
    readonly method_limits?: Readonly<Record<string, Readonly<Record<string, {
      readonly deposit_min?: string;
      readonly deposit_max?: string;
      readonly withdrawal_min?: string;
      readonly withdrawal_max?: string;
      readonly auto_max_per_withdrawal?: string | null;
    }>>>>;
    readonly swift_auto_enabled: boolean;
    readonly default_charge_bearer?: Open<'OUR' | 'SHA' | 'BEN'>;
    readonly allowed_charge_bearers?: readonly Open<'OUR' | 'SHA' | 'BEN'>[];
    readonly beneficiary_change_cooldown_hours: number;
    readonly screening_required_above?: Readonly<Record<string, string>> | null;
    readonly blocked_countries?: readonly string[];
    readonly deposit_partial_accept_allowed: boolean;
    readonly deposit_excess_policy: Open<'review' | 'return_excess'>;
    readonly unmatched_return_after_business_days: number;
  };
  readonly fx?: {
    readonly enabled: boolean;
    readonly max_spread_bps?: number;
    readonly quote_ttl_seconds: number;
    readonly requote_tolerance_bps: number;
    readonly risk_bearer: Open<'service' | 'operator' | 'beneficiary'>;
  };
}

export interface SandboxClock {
  /** The operation’s time. */
  readonly now: Timestamp;
  /** The server’s time, by which requests are signed. */
  readonly real_time: Timestamp;
  /** By how much `now` is ahead of `real_time`. */
  readonly offset_seconds: number;
  /** Whether the clock stands still. */
  readonly frozen: boolean;
  /** Whether a request is moving it. */
  readonly advancing: boolean;
}

export interface SandboxClockMoved {
  /** The operation’s time. */
  readonly now: Timestamp;
  /** The server’s time, by which requests are signed. */
  readonly real_time: Timestamp;
  /** By how much `now` is ahead of `real_time`. */
  readonly offset_seconds: number;
  /** Whether the clock stands still. */
  readonly frozen: boolean;
  /** Whether a request is moving it. */
  readonly advancing: boolean;
  /** Where you wanted it. */
  readonly to: Timestamp;
  /** Whether it is where you wanted it, with everything done that was due. If not, send the same `to` again. */
  readonly reached: boolean;
  /** What was due and is not done: a provider or an operator has not answered yet. */
  readonly pending: readonly ({
    /** A payment, or an event that is being delivered. */
    readonly object_id: string;
    /** `due` or `under_way`. */
    readonly state: string;
  })[];
}

export interface SandboxIncomingTransfer {
  readonly amount: Money;
  readonly rail: string;
  readonly reference?: string;
  readonly payer_name?: string;
  readonly payer_document?: PlayerDocument;
  readonly payer_country?: string;
  readonly screening?: 'clear' | 'hit';
}

export interface SandboxOutage {
  readonly down: boolean;
}

export interface SandboxPartialReversal {
  readonly kind: 'refund' | 'chargeback';
  /** What goes back of the payment; what is left of it ends the deposit. */
  readonly amount: Money;
}

export interface SandboxPayment {
  /** CPF or CNPJ of the payer; default: the player’s. */
  readonly payer_document?: PlayerDocument;
  /** The paid amount; default: the exact amount. */
  readonly paid_amount?: Money;
}

export interface SandboxRedeliver {
  readonly event_id: string;
}

export interface SandboxRedelivery {
  readonly event_id: string;
  readonly redelivery: 'scheduled';
}

export interface SandboxSetClock {
  /** Moves the clock ahead by so many seconds, at most 366 days. */
  readonly advance_seconds?: number;
  /** Moves the clock to this moment, never back. Instead of `advance_seconds`. */
  readonly to?: Timestamp;
  /** Whether it stands still then; default: as before. */
  readonly frozen?: boolean;
}

export interface SignedWebhook {
  readonly event_id: string;
  readonly type: string;
  /** The headers of a delivery. Without an active webhook secret `Svc-Signature` is empty. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of a delivery, as text: the signature covers exactly these. */
  readonly body: string;
}

export interface WebhookInbox {
  readonly data: readonly SignedWebhook[];
  /** The `after` of the next request; null while the operation has no event. */
  readonly next_after: string | null;
}

export interface Withdrawal {
  readonly id: string;
  readonly external_id: string;
  /** Open list: an unknown status is non-terminal and keeps the reserve. */
  readonly status: WithdrawalStatus;
  readonly version: number;
  readonly amount: Money;
  readonly fee: Money | null;
  readonly method: string;
  readonly player_ref: string;
  readonly decision: WithdrawalDecision;
  /** The end-to-end id of a paid PIX. */
  readonly psp_reference: string | null;
  readonly failure_code: string | null;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  readonly paid_at: Timestamp | null;
  /** Null for PIX. */
  readonly rail: unknown;
  /** Empty for PIX. */
  readonly fees: readonly Fee[];
  /** Null for PIX. */
  readonly charge_bearer: unknown;
  /** Null for PIX. */
  readonly fx: unknown;
  /** Null for PIX. */
  readonly purpose: unknown;
  /** Null for PIX. */
  readonly compliance: unknown;
  /** Null for PIX. */
  readonly tracking: unknown;
  /** Null for PIX. */
  readonly return: unknown;
  /** Null for PIX. */
  readonly recall: unknown;
  readonly expected_settlement_date: string | null;
  readonly sent_at: Timestamp | null;
}

export interface WithdrawalDecision {
  readonly mode: Open<'automatic' | 'manual'>;
  readonly reasons: readonly string[];
  readonly ruleset_version: number;
  readonly decided_by: readonly string[];
  readonly decided_at: Timestamp | null;
}
