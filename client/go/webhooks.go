package operatorpayments

import (
	"crypto/hmac"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Event is the envelope of a webhook and of GET /events. Unknown fields and types are allowed.
type Event struct {
	ID            string `json:"id"`
	Type          string `json:"type"`
	CreatedAt     string `json:"created_at"`
	OperationID   string `json:"operation_id"`
	ObjectID      string `json:"object_id"`
	ObjectVersion *int64 `json:"object_version"`
	Data          struct {
		Object map[string]any `json:"object"`
	} `json:"data"`
}

// WebhookRefusal says why a delivery is not the gateway's.
type WebhookRefusal string

func (refusal WebhookRefusal) Error() string { return string(refusal) }

// Status is what to answer to a refused delivery.
func (refusal WebhookRefusal) Status() int {
	if refusal == MalformedBody || refusal == EventIDMismatch {
		return 400
	}
	return 401
}

const (
	MissingHeader        WebhookRefusal = "missing_header"
	MalformedHeader      WebhookRefusal = "malformed_header"
	TimestampOutOfWindow WebhookRefusal = "timestamp_out_of_window"
	SignatureMismatch    WebhookRefusal = "signature_mismatch"
	MalformedBody        WebhookRefusal = "malformed_body"
	EventIDMismatch      WebhookRefusal = "event_id_mismatch"
)

const (
	tolerance = 300
	// The gateway sends one value, two during a rotation. The bound keeps a hostile header from costing many
	// comparisons.
	maxValues = 8
)

var (
	valuePattern     = regexp.MustCompile(`^v1=[0-9a-f]{64}$`)
	timestampPattern = regexp.MustCompile(`^[1-9][0-9]{0,11}$`)
)

// VerifyWebhook returns the event of a genuine delivery; otherwise a WebhookRefusal. Give the request's header and its
// raw bytes. A genuine webhook is only a trigger: read the object and act on what that says.
func VerifyWebhook(header http.Header, rawBody []byte, secrets []string, now time.Time) (*Event, error) {
	eventID := strings.TrimSpace(header.Get("Svc-Event-Id"))
	timestamp := strings.TrimSpace(header.Get("Svc-Timestamp"))
	signature := strings.TrimSpace(header.Get("Svc-Signature"))
	if eventID == "" || timestamp == "" || signature == "" {
		return nil, MissingHeader
	}
	values := signatureValues(signature)
	if values == nil || !timestampPattern.MatchString(timestamp) {
		return nil, MalformedHeader
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return nil, MalformedHeader
	}
	if difference := now.Unix() - seconds; difference > tolerance || difference < -tolerance {
		return nil, TimestampOutOfWindow
	}
	signed := strings.Join([]string{"v1", timestamp, eventID, sha256Hex(rawBody)}, "\n")
	if !anyMatches(secrets, signed, values) {
		return nil, SignatureMismatch
	}
	var event Event
	if !utf8.Valid(rawBody) || json.Unmarshal(rawBody, &event) != nil || !event.isComplete() {
		return nil, MalformedBody
	}
	if event.ID != eventID {
		return nil, EventIDMismatch
	}
	return &event, nil
}

func (event *Event) isComplete() bool {
	for _, text := range []string{event.ID, event.Type, event.CreatedAt, event.OperationID, event.ObjectID} {
		if text == "" {
			return false
		}
	}
	return event.ObjectVersion != nil && event.Data.Object != nil
}

// signatureValues returns the v1 values of a header; nil if it has none or too many. Other schemes are ignored.
func signatureValues(header string) []string {
	entries := strings.Split(header, ",")
	if len(entries) > maxValues {
		return nil
	}
	var values []string
	for _, entry := range entries {
		if entry = strings.TrimSpace(entry); valuePattern.MatchString(entry) {
			values = append(values, entry[len("v1="):])
		}
	}
	return values
}

// anyMatches compares every secret with every value and never stops early, so that the time reveals no near match. An
// empty secret, with which anybody could sign, matches nothing.
func anyMatches(secrets []string, signed string, values []string) bool {
	matched := false
	for _, secret := range secrets {
		expected := []byte(hmacHex(secret, signed))
		for _, value := range values {
			matched = (hmac.Equal(expected, []byte(value)) && secret != "") || matched
		}
	}
	return matched
}
