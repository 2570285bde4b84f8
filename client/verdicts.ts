// What a refusal means for the payment, for every error code of the gateway and every kind of endpoint.
// Written by `npm run docs` from the service's own table: change contract/http/verdicts.ts, not this file.

export type Verdict =
  /**
   * This request did nothing, and no earlier attempt with this `Idempotency-Key` did anything. Release the
   * reserve. To try again, correct the request and use a new `external_id` and a new key.
   */
  | 'payment_decided'
  /**
   * The payment exists. This answer does not change it. Keep the reserve. Act on the state of the payment:
   * `existing` in the answer, or read the payment.
   */
  | 'payment_exists'
  /**
   * This request did nothing. An earlier attempt may have succeeded. Keep the reserve. Correct the cause and send
   * the stored key and bytes again, or look the payment up by `external_id`.
   */
  | 'nothing_known'
  /**
   * The outcome is not known yet. Keep the reserve. Send the same key and the same bytes again, after
   * `Retry-After` if it is present. If you stop retrying, look the payment up by `external_id`.
   */
  | 'repeat';

export type EndpointKind =
  /** POST that creates a payment. */
  | 'create'
  /** POST that acts on a payment. */
  | 'act'
  /** other POST. */
  | 'other_post'
  /** GET. */
  | 'read';

export type VerdictRow = { readonly status: number } & Readonly<Record<EndpointKind, Verdict>>;

/** By error code; `validation_failed` has three rows, which differ by status and fields. */
export const VERDICT_TABLE: Readonly<Record<string, VerdictRow>> = {
  validation_failed_body: {
    status: 400,
    create: 'payment_decided',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  validation_failed_other: {
    status: 400,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  validation_failed_too_large: {
    status: 413,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  currency_not_enabled: {
    status: 400,
    create: 'payment_decided',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  method_not_enabled: {
    status: 400,
    create: 'payment_decided',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  rail_not_enabled: {
    status: 400,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  invalid_signature: {
    status: 401,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  timestamp_out_of_window: {
    status: 401,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  replayed_nonce: {
    status: 401,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  unknown_key: {
    status: 401,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  ip_not_allowed: {
    status: 403,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  insufficient_scope: {
    status: 403,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  operation_suspended: {
    status: 403,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  not_found: {
    status: 404,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  idempotency_key_reused: {
    status: 409,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  duplicate_external_id: {
    status: 409,
    create: 'payment_exists',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  invalid_state_transition: {
    status: 409,
    create: 'nothing_known',
    act: 'payment_exists',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  idempotency_in_progress: {
    status: 409,
    create: 'repeat',
    act: 'repeat',
    other_post: 'repeat',
    read: 'repeat',
  },
  day_open: {
    status: 409,
    create: 'repeat',
    act: 'repeat',
    other_post: 'repeat',
    read: 'repeat',
  },
  etag_mismatch: {
    status: 412,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  amount_below_minimum: {
    status: 422,
    create: 'payment_decided',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  amount_above_maximum: {
    status: 422,
    create: 'payment_decided',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  document_invalid: {
    status: 422,
    create: 'payment_decided',
    act: 'payment_exists',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  document_mismatch: {
    status: 422,
    create: 'payment_decided',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  player_blocked: {
    status: 422,
    create: 'payment_decided',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  destination_blocked: {
    status: 422,
    create: 'payment_decided',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  insufficient_operation_balance: {
    status: 422,
    create: 'payment_decided',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  velocity_exceeded: {
    status: 422,
    create: 'payment_decided',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  fx_not_enabled: {
    status: 422,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  fx_quote_expired: {
    status: 422,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  fx_quote_mismatch: {
    status: 422,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  corridor_not_allowed: {
    status: 422,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  beneficiary_bank_unreachable: {
    status: 422,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  recall_window_expired: {
    status: 422,
    create: 'nothing_known',
    act: 'nothing_known',
    other_post: 'nothing_known',
    read: 'nothing_known',
  },
  rate_limited: {
    status: 429,
    create: 'repeat',
    act: 'repeat',
    other_post: 'repeat',
    read: 'repeat',
  },
  internal_error: {
    status: 500,
    create: 'repeat',
    act: 'repeat',
    other_post: 'repeat',
    read: 'repeat',
  },
  service_unavailable: {
    status: 503,
    create: 'repeat',
    act: 'repeat',
    other_post: 'repeat',
    read: 'repeat',
  },
};
