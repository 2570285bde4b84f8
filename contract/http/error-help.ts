// What each error means for an operator: its causes and the next step, the text of the page that its `type` links to;
// and what a `failure_code` means: the codes that the gateway and its adapters give. A bank's own codes, such as those
// of ISO 20022, come beside them. The integration guide has this table.
import type { ErrorCode } from './errors.js';

export interface ErrorHelp {
  /** Possible causes, one or more sentences each. */
  readonly causes: readonly string[];
  /** What to do. What the error means for a payment is in verdicts.ts. */
  readonly next: string;
}

const NOT_SERVED: ErrorHelp = {
  causes: ['The contract defines it for bank transfers and currency exchange, which no operation has enabled.'],
  next: 'Nothing: this version never returns it.',
};

/** Total over the codes: a missing code does not compile. */
export const ERROR_HELP: Readonly<Record<ErrorCode, ErrorHelp>> = {
  validation_failed: {
    causes: [
      'A field of the body, a parameter of the query or a header is missing, unknown or malformed. `errors[]` ' +
        'lists each one with a `reason` and the expected value.',
      'The `Idempotency-Key` of a POST is missing or malformed (`errors[0].field`).',
      'The body is larger than 64 KiB (status 413, `reason` `too_large`).',
    ],
    next: 'Correct the fields in `errors[]`.',
  },
  currency_not_enabled: {
    causes: ['The currency is valid but not enabled for the operation.'],
    next: 'Use a currency that `GET /currencies` lists.',
  },
  method_not_enabled: {
    causes: ['The method is valid but not enabled. Only `pix` in BRL is enabled.'],
    next: 'Send `"method": "pix"`. `GET /currencies` lists the methods of each currency.',
  },
  rail_not_enabled: {
    causes: ['No bank rail is enabled for the operation.'],
    next: 'Use PIX.',
  },
  invalid_signature: {
    causes: [
      'One of the six signed lines differs from what the gateway received: `v1`, the timestamp, the nonce, the ' +
        'method, the path with its query, the SHA-256 of the body.',
      '`Svc-Nonce` or `Svc-Signature` is missing or malformed; the `detail` says which.',
      'The secret belongs to another key, or was decoded. Use the secret as the text that you received.',
      'The key does not exist. An unknown key and a wrong signature get the same answer.',
    ],
    next:
      'Compare the six lines byte by byte. In the sandbox, put `/docs/signing` in front of the path and send the ' +
      'same request, signed or not: the answer has the six lines as the gateway reads them, and its clock. The usual ' +
      'causes are a body that was serialised twice and a query that was re-encoded on the way.',
  },
  timestamp_out_of_window: {
    causes: [
      '`Svc-Timestamp` is missing, is not in whole Unix seconds (thirteen digits are milliseconds), or is more than ' +
        '300 s away from the gateway’s clock.',
    ],
    next:
      'Compare your clock with the `Date` header of any answer or with `server_time` of `GET /ping`. Sign each ' +
      'attempt immediately before you send it.',
  },
  replayed_nonce: {
    causes: ['The nonce was already used with this key. A library or a proxy may have sent the same request twice.'],
    next:
      'Create a new nonce, timestamp and signature for every attempt, retries included. Keep the ' +
      '`Idempotency-Key` and the body.',
  },
  unknown_key: {
    causes: [
      '`Svc-Key-Id` is missing or malformed.',
      'The key belongs to the other environment: `key_test_` is for the sandbox, `key_live_` for production.',
      'The key was revoked, or expired seven days after the first use of a newer key.',
    ],
    next: 'Use the operation’s current key.',
  },
  ip_not_allowed: {
    causes: [
      'The request has a valid signature but comes from an address outside the operation’s allowlist; the `detail` ' +
        'names the address that we saw. In production an empty list allows no address.',
    ],
    next: 'Ask us to add the address (in production this takes two people), or send from an allowed address.',
  },
  insufficient_scope: {
    causes: [
      'The key lacks the scope of the route; the `detail` names it.',
      'The path exists, but not with this method; `Allow` names its methods.',
    ],
    next: 'Use a key with that scope, or the right method.',
  },
  operation_suspended: {
    causes: ['The whole operation is suspended.'],
    next: 'Contact us. Running payments continue. Look them up by `external_id` when the operation is active again.',
  },
  not_found: {
    causes: [
      'The object does not exist in this operation. Objects of other operations get the same answer.',
      'The route does not exist: a trailing slash or other upper or lower case makes another path. Where `/v1` is ' +
        'missing, the `detail` says so.',
      'The route is one of `/sandbox/*`, which production does not have.',
    ],
    next:
      'Check the environment, the key’s operation and the path. A 404 never proves that a payment was not created: ' +
      'look it up by `external_id`.',
  },
  idempotency_key_reused: {
    causes: [
      'The `Idempotency-Key` was first used with another method, path, query or body. One changed byte of the body ' +
        'makes another request.',
      'After a crash the body was rebuilt, with a new time or another order of fields, instead of sent as it was ' +
        'stored.',
    ],
    next:
      'Send the stored bytes with this key: you get the first answer. Without them, look the payment up by ' +
      '`external_id`. Never release a reserve because of this answer.',
  },
  duplicate_external_id: {
    causes: [
      'A payment of this type, created with another key, already has the `external_id`. `existing` contains it.',
    ],
    next: 'If `existing` is the payment that you meant, continue with it. If not, choose a new `external_id`.',
  },
  invalid_state_transition: {
    causes: [
      'The payment’s state does not allow the action, such as cancelling a withdrawal that is `processing`.',
      'A withdrawal is `approved`, but its payment order has left: it may be paid, so that it cannot be cancelled.',
      'A recall was requested for a PIX withdrawal.',
    ],
    next: 'Act on the state of the payment: `existing` in the answer, or read it again.',
  },
  idempotency_in_progress: {
    causes: ['The first request with this key is still running. It takes at most 30 s.'],
    next: 'Wait a moment, then send the same bytes again with the same key.',
  },
  day_open: {
    causes: ['The day is not closed yet. Day D closes at D+1 02:00 UTC.'],
    next: 'Do not wait for it in a request: plan the read for D+1 02:00 UTC. `Retry-After` is the number of seconds until then.',
  },
  etag_mismatch: {
    causes: ['`If-Match` is not the `ETag` of the rules in force. They changed after you read them.'],
    next: 'Read `GET /rules`, review your proposal, and send it with the new `ETag`.',
  },
  amount_below_minimum: {
    causes: ['The amount is below the minimum for one payment in the rules, or of the account at the provider.'],
    next: 'Read the limits in `GET /rules`. Support knows those of the account at the provider.',
  },
  amount_above_maximum: {
    causes: ['The amount is above the maximum for one payment in the rules, or of the account at the provider.'],
    next: 'Read the limits in `GET /rules`. Support knows those of the account at the provider.',
  },
  document_invalid: {
    causes: ['The document is not a CPF or CNPJ, or its check digits are wrong.'],
    next: 'Ask the player to correct it. PIX accepts CPF and CNPJ only.',
  },
  document_mismatch: {
    causes: [
      'The first payment with this `external_ref` had another document.',
      'The PIX key belongs to somebody other than the player.',
      'The `detail` says which, except for an e-mail, phone or random key: who holds those we do not tell.',
    ],
    next: 'Pay only to and from the player’s own accounts. The first payment fixes the player’s document.',
  },
  player_blocked: {
    causes: ['The player is on a block list. The answer gives no details on purpose.'],
    next: 'Contact us. A retry does not help.',
  },
  destination_blocked: {
    causes: ['The destination is on a block list. The answer gives no details on purpose.'],
    next: 'Contact us. A retry does not help.',
  },
  insufficient_operation_balance: {
    causes: ['The operation’s cash box does not cover the withdrawal.'],
    next: 'Fund the cash box (see `GET /balances`), then create a new withdrawal.',
  },
  velocity_exceeded: {
    causes: [
      'The player reached a hard limit on the number or the amount in a time window.',
      'The player has too many unpaid deposits.',
    ],
    next: 'Wait until the time window ends, then create a new payment.',
  },
  fx_not_enabled: {
    causes: ['Currency exchange is not enabled for any operation.'],
    next: 'Use BRL only.',
  },
  fx_quote_expired: NOT_SERVED,
  fx_quote_mismatch: NOT_SERVED,
  corridor_not_allowed: NOT_SERVED,
  beneficiary_bank_unreachable: NOT_SERVED,
  recall_window_expired: NOT_SERVED,
  rate_limited: {
    causes: [
      'A limit of the key, the operation or the address is reached. It passes within seconds, or a minute after ' +
        'wrong signatures. There is no `errors[]`.',
      'A player’s hourly limit is reached: `errors[0]` is `player.external_ref` with the reason `hourly_limit`, and ' +
        '`Retry-After` may be up to an hour.',
      'The `detail` names the limit, its window and when it ends. The integration guide lists all limits.',
    ],
    next:
      'Wait for `Retry-After`, then send the same bytes again with the same key. Do not wait for a player’s hourly ' +
      'limit by yourself: tell the player. To give the intent up, wait 30 minutes after the last attempt was signed: ' +
      'an empty look-up by `external_id` is final then.',
  },
  internal_error: {
    causes: ['A fault in the gateway. The key can be used again, and a retry creates no second payment.'],
    next: 'Send the same bytes again with the same key. If the error persists, send us the `trace_id`.',
  },
  service_unavailable: {
    causes: [
      'A service that the gateway needs does not answer.',
      'In the sandbox: your own `POST /sandbox/outage` switched an outage on; the `detail` says so.',
    ],
    next: 'Send the same bytes again with the same key, after `Retry-After`.',
  },
};

export interface FailureCode {
  readonly of: 'deposit' | 'withdrawal';
  readonly meaning: string;
  readonly next: string;
}

const ANOTHER_DEPOSIT = 'Create another deposit, with a new `external_id`.';
const RELEASE = 'Release the reserve.';
const ASK_US = 'Release the reserve and tell us.';
const OTHER_KEY = 'Release the reserve and ask the player for another key.';

export const FAILURE_CODES = {
  psp_rejected: { of: 'deposit', meaning: 'The bank refused the charge and gave no code.', next: ANOTHER_DEPOSIT },
  psp_removed: { of: 'deposit', meaning: 'The bank withdrew the charge before it was paid.', next: ANOTHER_DEPOSIT },
  charge_expired: {
    of: 'deposit',
    meaning: 'The bank’s answer came so late that the charge could no longer be paid.',
    next: ANOTHER_DEPOSIT,
  },
  environment_guard: {
    of: 'deposit',
    meaning: 'Outside production: the bank returned a PIX without the sandbox’s marker, and it was not delivered.',
    next: 'Tell us: the sandbox is connected to the wrong bank.',
  },
  key_malformed: { of: 'withdrawal', meaning: 'No directory can hold a key of this form.', next: OTHER_KEY },
  key_not_found: { of: 'withdrawal', meaning: 'The PIX key belongs to nobody.', next: OTHER_KEY },
  key_of_another_document: {
    of: 'withdrawal',
    meaning: 'The PIX key belongs to somebody other than the player.',
    next: OTHER_KEY,
  },
  account_blocked: { of: 'withdrawal', meaning: 'The receiving account is blocked.', next: OTHER_KEY },
  document_not_supported: {
    of: 'withdrawal',
    meaning: 'The bank takes no document of the player’s type.',
    next: RELEASE,
  },
  amount_not_supported: { of: 'withdrawal', meaning: 'The bank takes no such amount.', next: RELEASE },
  payout_invalid: { of: 'withdrawal', meaning: 'The bank refused the payment order as invalid.', next: ASK_US },
  paying_key_invalid: { of: 'withdrawal', meaning: 'The gateway’s own key at the bank is not valid.', next: ASK_US },
  payment_denied: { of: 'withdrawal', meaning: 'The bank denied the payment and gave no code.', next: RELEASE },
  payment_failed: { of: 'withdrawal', meaning: 'The bank reports a failure and gave no code.', next: RELEASE },
  psp_failed: { of: 'withdrawal', meaning: 'The bank reports a failure and gave no code.', next: RELEASE },
  psp_never_accepted: {
    of: 'withdrawal',
    meaning: 'The bank says in writing that the payment order never reached it; two people entered that.',
    next: RELEASE,
  },
  psp_never_paid: {
    of: 'withdrawal',
    meaning: 'The bank says in writing that it did not pay and never will; two people entered that.',
    next: RELEASE,
  },
} as const satisfies Readonly<Record<string, FailureCode>>;
