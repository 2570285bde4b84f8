package operatorpayments;

import java.util.Map;

// Written by `npm run docs` from the service's own table.
/** The table of verdicts, by error code; validation_failed has three rows. */
final class VerdictTable {
    record Row(int status, Verdict create, Verdict act, Verdict otherPost, Verdict read) {}

    static final Map<String, Row> ROWS = Map.ofEntries(
            Map.entry("validation_failed_body", new Row(400, Verdict.PAYMENT_DECIDED, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("validation_failed_other", new Row(400, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("validation_failed_too_large", new Row(413, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("currency_not_enabled", new Row(400, Verdict.PAYMENT_DECIDED, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("method_not_enabled", new Row(400, Verdict.PAYMENT_DECIDED, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("rail_not_enabled", new Row(400, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("invalid_signature", new Row(401, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("timestamp_out_of_window", new Row(401, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("replayed_nonce", new Row(401, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("unknown_key", new Row(401, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("ip_not_allowed", new Row(403, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("insufficient_scope", new Row(403, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("operation_suspended", new Row(403, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("not_found", new Row(404, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("idempotency_key_reused", new Row(409, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("duplicate_external_id", new Row(409, Verdict.PAYMENT_EXISTS, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("invalid_state_transition", new Row(409, Verdict.NOTHING_KNOWN, Verdict.PAYMENT_EXISTS, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("idempotency_in_progress", new Row(409, Verdict.REPEAT, Verdict.REPEAT, Verdict.REPEAT, Verdict.REPEAT)),
            Map.entry("day_open", new Row(409, Verdict.REPEAT, Verdict.REPEAT, Verdict.REPEAT, Verdict.REPEAT)),
            Map.entry("etag_mismatch", new Row(412, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("amount_below_minimum", new Row(422, Verdict.PAYMENT_DECIDED, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("amount_above_maximum", new Row(422, Verdict.PAYMENT_DECIDED, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("document_invalid", new Row(422, Verdict.PAYMENT_DECIDED, Verdict.PAYMENT_EXISTS, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("document_mismatch", new Row(422, Verdict.PAYMENT_DECIDED, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("player_blocked", new Row(422, Verdict.PAYMENT_DECIDED, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("destination_blocked", new Row(422, Verdict.PAYMENT_DECIDED, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("insufficient_operation_balance", new Row(422, Verdict.PAYMENT_DECIDED, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("velocity_exceeded", new Row(422, Verdict.PAYMENT_DECIDED, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("fx_not_enabled", new Row(422, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("fx_quote_expired", new Row(422, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("fx_quote_mismatch", new Row(422, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("corridor_not_allowed", new Row(422, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("beneficiary_bank_unreachable", new Row(422, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("recall_window_expired", new Row(422, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN, Verdict.NOTHING_KNOWN)),
            Map.entry("rate_limited", new Row(429, Verdict.REPEAT, Verdict.REPEAT, Verdict.REPEAT, Verdict.REPEAT)),
            Map.entry("internal_error", new Row(500, Verdict.REPEAT, Verdict.REPEAT, Verdict.REPEAT, Verdict.REPEAT)),
            Map.entry("service_unavailable", new Row(503, Verdict.REPEAT, Verdict.REPEAT, Verdict.REPEAT, Verdict.REPEAT)));

    private VerdictTable() {}
}
