package operatorpayments

// Written by `npm run docs` from the service's own table.

// Verdict is what a refusal means for the payment.
type Verdict string

// EndpointKind says what a request is about.
type EndpointKind string

const (
	// PaymentDecided: This request did nothing, and no earlier attempt with this `Idempotency-Key` did anything.
	PaymentDecided Verdict = "payment_decided"
	// PaymentExists: The payment exists. This answer does not change it.
	PaymentExists Verdict = "payment_exists"
	// NothingKnown: This request did nothing. An earlier attempt may have succeeded.
	NothingKnown Verdict = "nothing_known"
	// Repeat: The outcome is not known yet.
	Repeat Verdict = "repeat"
)

const (
	// Create: POST that creates a payment.
	Create EndpointKind = "create"
	// Act: POST that acts on a payment.
	Act EndpointKind = "act"
	// OtherPost: other POST.
	OtherPost EndpointKind = "other_post"
	// Read: GET.
	Read EndpointKind = "read"
)

type verdictRow struct {
	status int
	of     map[EndpointKind]Verdict
}

var verdictTable = map[string]verdictRow{
	"validation_failed_body": {
		400, map[EndpointKind]Verdict{Create: PaymentDecided, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"validation_failed_other": {
		400, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"validation_failed_too_large": {
		413, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"currency_not_enabled": {
		400, map[EndpointKind]Verdict{Create: PaymentDecided, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"method_not_enabled": {
		400, map[EndpointKind]Verdict{Create: PaymentDecided, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"rail_not_enabled": {
		400, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"invalid_signature": {
		401, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"timestamp_out_of_window": {
		401, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"replayed_nonce": {
		401, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"unknown_key": {
		401, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"ip_not_allowed": {
		403, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"insufficient_scope": {
		403, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"operation_suspended": {
		403, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"not_found": {
		404, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"idempotency_key_reused": {
		409, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"duplicate_external_id": {
		409, map[EndpointKind]Verdict{Create: PaymentExists, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"invalid_state_transition": {
		409, map[EndpointKind]Verdict{Create: NothingKnown, Act: PaymentExists, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"idempotency_in_progress": {
		409, map[EndpointKind]Verdict{Create: Repeat, Act: Repeat, OtherPost: Repeat, Read: Repeat},
	},
	"day_open": {
		409, map[EndpointKind]Verdict{Create: Repeat, Act: Repeat, OtherPost: Repeat, Read: Repeat},
	},
	"etag_mismatch": {
		412, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"amount_below_minimum": {
		422, map[EndpointKind]Verdict{Create: PaymentDecided, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"amount_above_maximum": {
		422, map[EndpointKind]Verdict{Create: PaymentDecided, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"document_invalid": {
		422, map[EndpointKind]Verdict{Create: PaymentDecided, Act: PaymentExists, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"document_mismatch": {
		422, map[EndpointKind]Verdict{Create: PaymentDecided, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"player_blocked": {
		422, map[EndpointKind]Verdict{Create: PaymentDecided, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"destination_blocked": {
		422, map[EndpointKind]Verdict{Create: PaymentDecided, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"insufficient_operation_balance": {
		422, map[EndpointKind]Verdict{Create: PaymentDecided, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"velocity_exceeded": {
		422, map[EndpointKind]Verdict{Create: PaymentDecided, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"fx_not_enabled": {
		422, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"fx_quote_expired": {
		422, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"fx_quote_mismatch": {
		422, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"corridor_not_allowed": {
		422, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"beneficiary_bank_unreachable": {
		422, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"recall_window_expired": {
		422, map[EndpointKind]Verdict{Create: NothingKnown, Act: NothingKnown, OtherPost: NothingKnown, Read: NothingKnown},
	},
	"rate_limited": {
		429, map[EndpointKind]Verdict{Create: Repeat, Act: Repeat, OtherPost: Repeat, Read: Repeat},
	},
	"internal_error": {
		500, map[EndpointKind]Verdict{Create: Repeat, Act: Repeat, OtherPost: Repeat, Read: Repeat},
	},
	"service_unavailable": {
		503, map[EndpointKind]Verdict{Create: Repeat, Act: Repeat, OtherPost: Repeat, Read: Repeat},
	},
}
