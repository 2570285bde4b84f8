// What brings each error about and what to do next: the text of the page that the error's `type` leads to.
import type { ErrorCode } from './errors.js';

export interface ErrorHelp {
  /** What brings it about; each a sentence. */
  readonly causes: readonly string[];
  /** What mends it. What it means for a payment is in verdicts.ts. */
  readonly next: string;
}

const NOT_SERVED: ErrorHelp = {
  causes: ['The contract names it for bank transfers and currency exchange, which no operation has enabled.'],
  next: 'Nothing: this version does not answer it.',
};

/** Total over the codes: one that is forgotten does not compile. */
export const ERROR_HELP: Readonly<Record<ErrorCode, ErrorHelp>> = {
  validation_failed: {
    causes: [
      'A field of the body, a parameter of the query or a header is missing, unknown or malformed. `errors[]` ' +
        'names each with a `reason` and says what would be right.',
      'The `Idempotency-Key` of a POST is missing or malformed (`errors[0].field`).',
      'The body is over 64 KiB (status 413, `reason` `too_large`).',
    ],
    next: 'Correct what `errors[]` names.',
  },
  currency_not_enabled: {
    causes: ['The currency is well formed and not enabled for the operation.'],
    next: 'Read `GET /currencies`: it lists what is enabled.',
  },
  method_not_enabled: {
    causes: ['The method is one of the contract’s and not enabled. Only `pix` in BRL is.'],
    next: 'Send `"method": "pix"`. `GET /currencies` lists the methods of each currency.',
  },
  rail_not_enabled: {
    causes: ['No bank rail is enabled for the operation.'],
    next: 'Use PIX.',
  },
  invalid_signature: {
    causes: [
      'One of the six signed lines is not what the gateway received: `v1`, the timestamp, the nonce, the method, ' +
        'the path with its query, the SHA-256 of the body.',
      '`Svc-Nonce` or `Svc-Signature` is missing or malformed; the `detail` then says which.',
      'The secret is not the key’s, or was decoded: it is used as the text that you received.',
      'There is no such key. An unknown key and a wrong signature are answered alike.',
    ],
    next:
      'Compare the six lines, byte for byte. In the sandbox, put `/docs/signing` in front of the path and send the ' +
      'very same request: it answers the six lines as the gateway ' +
      'reads them, and its clock, for any request, signed or not. Mostly it is the body (serialised twice) or ' +
      'the query (encoded anew on the way).',
  },
  timestamp_out_of_window: {
    causes: [
      '`Svc-Timestamp` is missing, is not whole Unix seconds (milliseconds are thirteen digits), or is more than ' +
        '300 s away from the gateway’s clock.',
    ],
    next:
      'Compare your clock with the `Date` header of any answer, or with `server_time` of `GET /ping`. Sign each ' +
      'attempt when it is sent.',
  },
  replayed_nonce: {
    causes: ['The nonce was used before with this key. A library or a proxy may have sent the same request twice.'],
    next:
      'Make a nonce, a timestamp and a signature of its own for every attempt, repeats included. The ' +
      '`Idempotency-Key` and the body stay the same.',
  },
  unknown_key: {
    causes: [
      '`Svc-Key-Id` is missing or malformed.',
      'It is a key of the other environment: `key_test_` is the sandbox’s, `key_live_` production’s.',
      'The key was revoked, or has expired seven days after the first use of a newer one.',
    ],
    next: 'Use the operation’s current key.',
  },
  ip_not_allowed: {
    causes: [
      'The request came, rightly signed, from an address outside the operation’s allowlist. In production an ' +
        'empty list lets nobody in.',
    ],
    next: 'Have the address added (in production by two people), or send from one that is in the list.',
  },
  insufficient_scope: {
    causes: ['The key lacks the scope that the route needs.', 'The path exists, and not with this method.'],
    next: 'The API reference names the scope of every route. Use a key that has it.',
  },
  operation_suspended: {
    causes: ['The operation is suspended as a whole.'],
    next: 'Ask us. Payments under way go on, and are found again by their `external_id` when the operation is active.',
  },
  not_found: {
    causes: [
      'There is no such object in this operation. Objects of another operation are answered the same way.',
      'There is no such route: a slash at the end, another case or a missing `/v1` is another path.',
      'The route is one of `/sandbox/*`, and this is production.',
    ],
    next:
      'Check the environment, the key’s operation and the path. A 404 never proves that a payment was not made: ' +
      'look it up by `external_id`.',
  },
  idempotency_key_reused: {
    causes: [
      'The `Idempotency-Key` came first with another method, path, query or body. One changed byte of the body ' +
        'is another request.',
      'A body was built anew after a crash, with a new time or another order of fields, instead of being sent as ' +
        'it was stored.',
    ],
    next:
      'Send the stored bytes under this key: they get the first answer. Without them, look the payment up by ' +
      '`external_id`. Never give a reserve back on this answer.',
  },
  duplicate_external_id: {
    causes: ['A payment of this type has the `external_id` already, made with another key. `existing` holds it.'],
    next: 'If it is the payment that you meant, go on with `existing`. If not, choose a new `external_id`.',
  },
  invalid_state_transition: {
    causes: [
      'The payment’s state does not allow what was asked, such as cancelling a withdrawal that is `processing`.',
      'A recall was asked for a PIX withdrawal.',
    ],
    next: 'Read the payment, and go by its state.',
  },
  idempotency_in_progress: {
    causes: ['The first request with this key is still running, for at most 30 s.'],
    next: 'Send the same bytes again with the same key in a moment.',
  },
  day_open: {
    causes: ['The day is not closed yet: day D can be read from D+1 02:00 UTC on.'],
    next: 'Ask again after `Retry-After`, which counts the seconds until then.',
  },
  etag_mismatch: {
    causes: ['`If-Match` is not the `ETag` of the rules in force: they have changed since you read them.'],
    next: 'Read `GET /rules`, decide anew, and propose with its `ETag`.',
  },
  amount_below_minimum: {
    causes: ['The amount is below the minimum that the rules set for one payment.'],
    next: '`GET /rules` has the limits.',
  },
  amount_above_maximum: {
    causes: ['The amount is above the maximum that the rules set for one payment.'],
    next: '`GET /rules` has the limits.',
  },
  document_invalid: {
    causes: ['The document is not a CPF or CNPJ, or its check digits are wrong.'],
    next: 'Have the player correct it. PIX knows CPF and CNPJ only.',
  },
  document_mismatch: {
    causes: [
      'The player has another document since the first use of this `external_ref`.',
      'The PIX key belongs to somebody else than the player.',
    ],
    next: 'Pay only to and from the player’s own accounts. A player’s document is fixed at its first use.',
  },
  player_blocked: {
    causes: ['The player is on a block list. The answer says no more on purpose.'],
    next: 'Ask us; repeating does not help.',
  },
  destination_blocked: {
    causes: ['The destination is on a block list. The answer says no more on purpose.'],
    next: 'Ask us; repeating does not help.',
  },
  insufficient_operation_balance: {
    causes: ['The operation’s cash box does not cover the withdrawal.'],
    next: 'Fund it (`GET /balances`), then ask for a new withdrawal.',
  },
  velocity_exceeded: {
    causes: [
      'The player has reached a hard limit on number or amount in a time window.',
      'Too many deposits were created and not paid.',
    ],
    next: 'Wait for the window to pass, then begin anew.',
  },
  fx_not_enabled: {
    causes: ['Currency exchange is not enabled for any operation.'],
    next: 'Use BRL throughout.',
  },
  fx_quote_expired: NOT_SERVED,
  fx_quote_mismatch: NOT_SERVED,
  corridor_not_allowed: NOT_SERVED,
  beneficiary_bank_unreachable: NOT_SERVED,
  recall_window_expired: NOT_SERVED,
  rate_limited: {
    causes: [
      'A limit is reached; the `detail` names it, its window and when it ends. The guide for integrators lists ' +
        'all of them.',
    ],
    next: 'Wait for `Retry-After`, then send the same bytes again with the same key.',
  },
  internal_error: {
    causes: ['A fault of the gateway’s. The key is free again, and a repeat makes no second payment.'],
    next: 'Send the same bytes again with the same key. If it stays, tell us the `trace_id`.',
  },
  service_unavailable: {
    causes: [
      'Something that the gateway needs does not answer.',
      'In the sandbox: `POST /sandbox/outage` has switched the outage on.',
    ],
    next: 'Send the same bytes again with the same key, after `Retry-After`.',
  },
};
