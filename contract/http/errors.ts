// The closed catalogue of errors (specification, "Errors"): status, retryability and detail of every code, and the
// reasons.

export const ERRORS = {
  validation_failed: { status: 400, retryable: false, detail: 'The request is invalid; see errors.' },
  currency_not_enabled: { status: 400, retryable: false, detail: 'The currency is not enabled for this operation.' },
  method_not_enabled: { status: 400, retryable: false, detail: 'The method is not enabled for this operation.' },
  rail_not_enabled: { status: 400, retryable: false, detail: 'The rail is not enabled for this operation.' },
  invalid_signature: { status: 401, retryable: false, detail: 'The signature, its key or its nonce is not valid.' },
  timestamp_out_of_window: {
    status: 401,
    retryable: false,
    detail: 'Svc-Timestamp is missing, malformed or more than 300 s away from the server clock.',
  },
  replayed_nonce: { status: 401, retryable: false, detail: 'The nonce was used before; sign every request anew.' },
  unknown_key: {
    status: 401,
    retryable: false,
    detail: 'The key id is missing, malformed, of another environment, or no longer active.',
  },
  ip_not_allowed: { status: 403, retryable: false, detail: 'The source address is not in the operation’s allowlist.' },
  insufficient_scope: {
    status: 403,
    retryable: false,
    detail: 'The key lacks the scope of this route, or the method is not offered here.',
  },
  operation_suspended: { status: 403, retryable: false, detail: 'The operation is suspended.' },
  not_found: { status: 404, retryable: false, detail: 'There is no such object or route.' },
  idempotency_key_reused: {
    status: 409,
    retryable: false,
    detail: 'The Idempotency-Key was used for a different request.',
  },
  duplicate_external_id: {
    status: 409,
    retryable: false,
    detail: 'The external_id is already used; existing carries the object.',
  },
  invalid_state_transition: { status: 409, retryable: false, detail: 'The object’s state does not allow this.' },
  idempotency_in_progress: {
    status: 409,
    retryable: true,
    detail: 'The first request with this Idempotency-Key is still running.',
  },
  day_open: { status: 409, retryable: true, detail: 'The day is not closed yet.' },
  etag_mismatch: { status: 412, retryable: false, detail: 'If-Match is not the current ETag of the rules.' },
  amount_below_minimum: { status: 422, retryable: false, detail: 'The amount is below the minimum of a payment.' },
  amount_above_maximum: { status: 422, retryable: false, detail: 'The amount is above the maximum of a payment.' },
  document_invalid: { status: 422, retryable: false, detail: 'The document is not a valid CPF or CNPJ.' },
  document_mismatch: {
    status: 422,
    retryable: false,
    detail: 'The document does not belong to this player or destination.',
  },
  player_blocked: { status: 422, retryable: false, detail: 'The payment is not possible for this player.' },
  destination_blocked: { status: 422, retryable: false, detail: 'The payment is not possible to this destination.' },
  insufficient_operation_balance: {
    status: 422,
    retryable: false,
    detail: 'The operation’s balance does not cover the withdrawal; it can be tried later as a new one.',
  },
  velocity_exceeded: { status: 422, retryable: false, detail: 'Too many or too much in the time window.' },
  fx_not_enabled: { status: 422, retryable: false, detail: 'Currency exchange is not enabled for this operation.' },
  fx_quote_expired: { status: 422, retryable: false, detail: 'The quote has expired.' },
  fx_quote_mismatch: { status: 422, retryable: false, detail: 'The quote is for another payment.' },
  corridor_not_allowed: { status: 422, retryable: false, detail: 'The corridor is not allowed.' },
  beneficiary_bank_unreachable: { status: 422, retryable: false, detail: 'The beneficiary’s bank cannot be reached.' },
  recall_window_expired: { status: 422, retryable: false, detail: 'The recall window has passed.' },
  rate_limited: { status: 429, retryable: true, detail: 'Too many requests; wait for Retry-After.' },
  internal_error: { status: 500, retryable: true, detail: 'An internal error; repeat with the same Idempotency-Key.' },
  service_unavailable: {
    status: 503,
    retryable: true,
    detail: 'A dependency is not available; repeat with the same Idempotency-Key.',
  },
} as const satisfies Record<string, { status: number; retryable: boolean; detail: string }>;
export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

/** `errors[].reason` values that this build emits. */
export const REASONS = [
  'unknown_field',
  'duplicate_key',
  'invalid_utf8',
  'syntax',
  'trailing_data',
  'type',
  'format',
  'enum',
  'range',
  'required',
  'one_of',
  'method_mismatch',
  'invalid',
  'invalid_json',
  'currency_mismatch',
  'unknown',
  'too_large',
  'required_by_operation',
  'max_length',
  'reserved_domain_required',
  'hourly_limit',
] as const;
export type Reason = (typeof REASONS)[number];

export interface FieldError {
  /**
   * Path of the field (`player.document.number`, `metadata.note`), header or query parameter; empty for the whole body.
   */
  readonly field: string;
  readonly reason: Reason;
  readonly message: string;
}

/** An expected error as a value. One place turns it into problem+json. */
export interface Problem {
  readonly kind: 'problem';
  readonly code: ErrorCode;
  /** 413 is the one status that shares a code (`validation_failed`, reason `too_large`). */
  readonly status?: 413;
  readonly errors?: readonly FieldError[];
  /** Replaces the detail of the code. Never contains a secret or a rejected value. */
  readonly detail?: string | undefined;
  /** On `duplicate_external_id` and `invalid_state_transition`: the object as served. */
  readonly existing?: unknown;
  readonly retryAfterSeconds?: number;
  /** The methods that the path has (`Allow`). */
  readonly allow?: readonly string[];
}

/** Builds a problem. */
export function problem(code: ErrorCode, more: Omit<Problem, 'kind' | 'code'> = {}): Problem {
  return { kind: 'problem', code, ...more };
}

/** A `validation_failed` about one field. */
export function invalidField(field: string, reason: Reason, message: string): Problem {
  return problem('validation_failed', { errors: [{ field, reason, message }] });
}

export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'problem';
}
