package operatorpayments

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"
)

type vectors struct {
	Requests []struct {
		Name, Secret, Nonce, Method, Target, Body string
		KeyID                                     string `json:"key_id"`
		Timestamp                                 int64
		CanonicalRequest                          string `json:"canonical_request"`
		SignatureHeader                           string `json:"signature_header"`
	}
	Webhooks []struct {
		Name, Body       string
		VerifyingSecrets []string `json:"verifying_secrets"`
		Headers          map[string]string
	}
	RefusedWebhooks []struct {
		Name, Body, Refusal string
		Now                 int64
		Answer              int
		VerifyingSecrets    []string `json:"verifying_secrets"`
		Headers             map[string]string
	} `json:"refused_webhooks"`
	Reconciliation []struct {
		Name, Date, Currency, Digest string
		Items                        []any
		CanonicalList                string   `json:"canonical_list"`
		SigningSecrets               []string `json:"signing_secrets"`
		SignatureHeader              string   `json:"signature_header"`
	}
	RefusedReconciliation []struct {
		Name, Date, Currency, Digest string
		VerifyingSecrets             []string `json:"verifying_secrets"`
		SignatureHeader              string   `json:"signature_header"`
	} `json:"refused_reconciliation"`
	Verdicts []struct {
		Endpoint  EndpointKind
		Status    int
		Code      string
		Retryable bool
		Fields    []string
		Verdict   Verdict
	}
}

func load(t *testing.T) vectors {
	t.Helper()
	text, err := os.ReadFile("../test-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var all vectors
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSigns(t *testing.T) {
	for _, one := range load(t).Requests {
		lines, err := CanonicalRequest(one.Timestamp, one.Nonce, one.Method, one.Target, []byte(one.Body))
		if err != nil || lines != one.CanonicalRequest {
			t.Errorf("%s: %q %v", one.Name, lines, err)
		}
		headers, _ := SignatureHeaders(
			one.KeyID, one.Secret, one.Timestamp, one.Nonce, one.Method, one.Target, []byte(one.Body),
		)
		if headers["Svc-Signature"] != one.SignatureHeader {
			t.Errorf("%s: %s", one.Name, headers["Svc-Signature"])
		}
	}
}

func TestVerifiesWebhooks(t *testing.T) {
	for _, one := range load(t).Webhooks {
		seconds, _ := strconv.ParseInt(one.Headers["Svc-Timestamp"], 10, 64)
		event, err := verify(one.Headers, one.Body, one.VerifyingSecrets, seconds)
		if err != nil || event.ID != one.Headers["Svc-Event-Id"] {
			t.Errorf("%s: %v", one.Name, err)
		}
	}
}

func TestRefusesWebhooks(t *testing.T) {
	for _, one := range load(t).RefusedWebhooks {
		_, err := verify(one.Headers, one.Body, one.VerifyingSecrets, one.Now)
		var refusal WebhookRefusal
		if !errors.As(err, &refusal) || string(refusal) != one.Refusal || refusal.Status() != one.Answer {
			t.Errorf("%s: %v, expected %s", one.Name, err, one.Refusal)
		}
	}
}

func verify(headers map[string]string, body string, secrets []string, now int64) (*Event, error) {
	header := http.Header{}
	for name, value := range headers {
		header.Set(name, value)
	}
	return VerifyWebhook(header, []byte(body), secrets, time.Unix(now, 0))
}

func TestReconciles(t *testing.T) {
	all := load(t)
	for _, one := range all.Reconciliation {
		list, err := CanonicalList(one.Items)
		if err != nil || string(list) != one.CanonicalList {
			t.Errorf("%s: %s %v", one.Name, list, err)
		}
		digest, _ := DigestOf(one.Items)
		if digest != one.Digest || !VerifyDay(one.Date, one.Currency, digest, one.SignatureHeader, one.SigningSecrets) {
			t.Errorf("%s: %s", one.Name, digest)
		}
		if !IsOrdered(one.Items) {
			t.Errorf("%s: not in order", one.Name)
		}
	}
	deposit := map[string]any{"object_id": "a", "kind": "deposit"}
	refund := map[string]any{"object_id": "a", "kind": "refund"}
	if !IsOrdered([]any{deposit, refund, refund}) || IsOrdered([]any{refund, deposit}) {
		t.Error("the order is by object_id, then by kind")
	}
	for _, one := range all.RefusedReconciliation {
		if VerifyDay(one.Date, one.Currency, one.Digest, one.SignatureHeader, one.VerifyingSecrets) {
			t.Errorf("%s was accepted", one.Name)
		}
	}
	if list, _ := CanonicalList([]any{map[string]any{"b": "<\u2028\u0001\n>", "a": nil}}); string(list) !=
		"[{\"a\":null,\"b\":\"<\u2028\\u0001\\n>\"}]" {
		t.Errorf("%s", list)
	}
}

func TestVerdicts(t *testing.T) {
	for _, one := range load(t).Verdicts {
		if verdict := VerdictOf(one.Endpoint, one.Status, one.Code, one.Retryable, one.Fields); verdict != one.Verdict {
			t.Errorf("%s %d %s %v: %s, expected %s", one.Endpoint, one.Status, one.Code, one.Fields, verdict, one.Verdict)
		}
	}
}

func TestPauses(t *testing.T) {
	for _, one := range []struct {
		attempt, retryAfter int
		random              float64
		expected            time.Duration
	}{
		{1, -1, 0, 500 * time.Millisecond},
		{3, -1, 1, 4 * time.Second},
		{30, -1, 1, time.Minute},
		{1, 30, 0, 30 * time.Second},
		{1, 0, 0, 0},
	} {
		if pause := PauseBeforeRepeat(one.attempt, one.retryAfter, one.random); pause != one.expected {
			t.Errorf("attempt %d: %v, expected %v", one.attempt, pause, one.expected)
		}
	}
}
