package operatorpayments

import (
	"math"
	"time"
)

// VerdictOf says what a refusal means for the payment, by its code and the kind of the endpoint. An unknown answer is
// judged by its HTTP class, and never decides a payment.
func VerdictOf(endpoint EndpointKind, status int, code string, retryable bool, fields []string) Verdict {
	if row, isKnown := verdictTable[rowName(status, code, fields)]; isKnown && row.status == status {
		return row.of[endpoint]
	}
	if status == 429 || status >= 500 || (status == 409 && retryable) {
		return Repeat
	}
	return NothingKnown
}

// rowName: only a refusal of body or query decides, because an Idempotency-Key does not cover headers.
func rowName(status int, code string, fields []string) string {
	if code != "validation_failed" {
		return code
	}
	if status == 413 {
		return "validation_failed_too_large"
	}
	for _, field := range fields {
		if field == "" || field[0] < 'a' || field[0] > 'z' {
			return "validation_failed_other"
		}
	}
	if len(fields) == 0 {
		return "validation_failed_other"
	}
	return "validation_failed_body"
}

// PauseBeforeRepeat is the pause after attempt number attempt (from 1): 1 s, 2 s, 4 s … 60 s with jitter, and never less
// than Retry-After (negative: absent). random is in [0, 1).
func PauseBeforeRepeat(attempt int, retryAfterSeconds int, random float64) time.Duration {
	if retryAfterSeconds >= 0 {
		return time.Duration(retryAfterSeconds)*time.Second + time.Duration(random*250)*time.Millisecond
	}
	ceiling := math.Min(math.Pow(2, float64(attempt-1)), 60)
	return time.Duration((ceiling/2 + ceiling/2*random) * float64(time.Second))
}
