// The resources of the gateway's contract as an operator sees them. Names and shapes are the wire's own.
// Lists that may grow are open: an unknown value is tolerated, is not terminal, and never moves money.

/** One of the known values, or one that a later version of the service adds. */
export type Open<Known extends string> = Known | (string & {});

/** RFC 3339 in UTC. */
export type Timestamp = string;

/** An amount in the smallest unit, as a string of digits: R$ 50,00 is `{amount: "5000", currency: "BRL"}`. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

export interface PlayerDocument {
  readonly type: 'CPF' | 'CNPJ' | 'PASSPORT' | 'NATIONAL_ID' | 'TAX_ID';
  /** For CPF and CNPJ digits only. */
  readonly number: string;
  /** ISO 3166 alpha-2, upper case. */
  readonly country: string;
}

export interface Player {
  /** The operator's opaque reference: never an e-mail, phone or tax number. */
  readonly external_ref: string;
  readonly document: PlayerDocument;
  readonly name?: string;
  readonly email?: string;
  /** The player's address, not the operator's server's. Without it a withdrawal is never automatic. */
  readonly ip?: string;
  readonly device_id?: string;
  readonly birth_date?: string;
  readonly kyc_level?: string;
}

export type Method = Open<'pix' | 'card' | 'crypto' | 'bank_transfer' | 'boleto' | 'wire' | 'swift'>;

export type DepositStatus = Open<
  | 'created'
  | 'pending'
  | 'under_review'
  | 'paid'
  | 'expired'
  | 'cancelled'
  | 'failed'
  | 'returned'
  | 'refunded'
  | 'chargeback'
>;

export type WithdrawalStatus = Open<
  'requested' | 'under_review' | 'approved' | 'processing' | 'paid' | 'rejected' | 'failed' | 'cancelled' | 'returned'
>;

export interface PixInstructions {
  readonly copy_paste: string;
  readonly expires_at: Timestamp;
  readonly qr_code_png_base64?: string;
}

export interface Payer {
  readonly document: PlayerDocument | null;
  readonly name: string | null;
  readonly matches_player: boolean;
}

export interface Deposit {
  readonly id: string;
  readonly external_id: string;
  readonly status: DepositStatus;
  readonly version: number;
  readonly amount: Money;
  readonly paid_amount: Money | null;
  readonly method: Method;
  readonly player_ref: string;
  readonly payer: Payer | null;
  readonly instructions: { readonly pix?: PixInstructions } | null;
  readonly failure_code: string | null;
  readonly review_reasons: readonly string[];
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  readonly paid_at: Timestamp | null;
  readonly expires_at: Timestamp;
}

export interface WithdrawalDecision {
  readonly mode: Open<'automatic' | 'manual'>;
  readonly reasons: readonly string[];
  readonly ruleset_version: number;
  readonly decided_by: readonly string[];
  readonly decided_at: Timestamp | null;
}

export interface Withdrawal {
  readonly id: string;
  readonly external_id: string;
  readonly status: WithdrawalStatus;
  readonly version: number;
  readonly amount: Money;
  readonly fee: Money | null;
  readonly method: Method;
  readonly player_ref: string;
  readonly decision: WithdrawalDecision;
  /** For a paid PIX: its end-to-end id. */
  readonly psp_reference: string | null;
  readonly failure_code: string | null;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  readonly paid_at: Timestamp | null;
}

export interface NewDeposit {
  readonly external_id: string;
  readonly player: Player;
  readonly amount: Money;
  readonly method: Method;
  /** 300..86400, default 1800. */
  readonly expires_in_seconds?: number;
  readonly locale?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface PixDestination {
  readonly pix: { readonly key_type: 'cpf' | 'cnpj' | 'email' | 'phone' | 'random'; readonly key: string };
}

export interface NewWithdrawal {
  readonly external_id: string;
  readonly player: Player;
  readonly amount: Money;
  readonly method: Method;
  readonly destination: PixDestination;
  readonly review_requested?: boolean;
  readonly review_reasons?: readonly string[];
  readonly player_context?: {
    readonly total_deposited?: Money;
    readonly total_withdrawn?: Money;
    readonly account_created_at?: Timestamp;
    readonly net_gaming_result?: string;
  };
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface Recall {
  readonly reason_code: 'duplicate' | 'wrong_beneficiary' | 'wrong_amount' | 'fraud_suspected' | 'other';
  readonly justification?: string;
}

export interface Ping {
  readonly ok: true;
  readonly operation_id: string;
  readonly environment: Open<'production' | 'sandbox'>;
  readonly server_time: Timestamp;
}

export interface MethodDetail {
  readonly method: Method;
  readonly deposit_requirements: readonly string[];
  readonly psp_notes: readonly string[];
}

export interface Currency {
  readonly code: string;
  readonly kind: Open<'fiat' | 'crypto'>;
  readonly exponent: number;
  readonly methods: readonly Method[];
  readonly method_details?: readonly MethodDetail[];
}

export interface Balance {
  readonly available: Money;
  readonly pending_in: Money;
  readonly pending_out: Money;
  readonly as_of: Timestamp;
}

export interface PlayerLimits {
  readonly player_ref: string;
  readonly currency: string;
  readonly total_deposited: Money;
  readonly total_withdrawn: Money;
  readonly auto_multiplier: string;
  readonly auto_withdrawal_remaining: Money;
  readonly blocked: boolean;
}

/** A rule set is read, shown and proposed back whole; the operator's code decides nothing by its fields. */
export interface RuleSet {
  readonly version: number;
  readonly currencies: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [field: string]: unknown;
}

export interface RuleChange {
  readonly id: string;
  readonly status: Open<'pending_approval'>;
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

export interface Reconciliation {
  readonly date: string;
  readonly currency: string;
  readonly items: readonly ReconciliationItem[];
  readonly next_cursor: string | null;
  /** On the last page only. */
  readonly totals: ReconciliationTotals | null;
  /** On the last page only. */
  readonly digest: string | null;
}

/** The envelope of a webhook and of an item of `GET /events`. A trigger to fetch the object back, never a reason to credit. */
export interface GatewayEvent {
  readonly id: string;
  readonly type: string;
  readonly created_at: Timestamp;
  readonly operation_id: string;
  readonly object_id: string;
  readonly object_version: number;
  readonly data: { readonly object: Readonly<Record<string, unknown>> };
}

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

export interface FieldError {
  readonly field: string;
  readonly message: string;
  readonly reason: string;
}

/** The error body, `application/problem+json`. Test `code`, never `title` or `detail`. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail?: string;
  readonly trace_id?: string;
  readonly retryable?: boolean;
  /** On 409 `duplicate_external_id`: the object that exists. */
  readonly existing?: Deposit | Withdrawal;
  readonly errors?: readonly FieldError[];
}

export interface SandboxPayment {
  /** Absent: the player pays. */
  readonly payer_document?: PlayerDocument;
  /** Absent: the exact amount is paid. */
  readonly paid_amount?: Money;
}

export type SandboxWithdrawalAction = Open<'approve' | 'reject' | 'pay' | 'fail' | 'return'>;

export interface DeliveryLogEntry {
  readonly event_id: string;
  readonly type: string;
  readonly object_id: string;
  readonly attempt: number;
  readonly sent_at: Timestamp;
  readonly response_status: number | null;
  readonly error: string | null;
  readonly duration_ms: number | null;
  readonly next_attempt_at: Timestamp | null;
}
