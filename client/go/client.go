package operatorpayments

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const maxAnswerBytes = 8 << 20

var keyPattern = regexp.MustCompile(`^[A-Za-z0-9_.:-]{16,128}$`)

// Answer is a 2xx answer. Replayed: the recorded answer of an earlier request with the same key.
type Answer struct {
	Status   int
	Header   http.Header
	Body     []byte
	Replayed bool
}

// ProblemError is a refusal. Decide by Verdict and Code.
type ProblemError struct {
	Request    string          `json:"-"`
	Status     int             `json:"-"`
	Code       string          `json:"code"`
	Detail     string          `json:"detail"`
	TraceID    string          `json:"trace_id"`
	Retryable  bool            `json:"retryable"`
	Existing   json.RawMessage `json:"existing"`
	Errors     []FieldError    `json:"errors"`
	Verdict    Verdict         `json:"-"`
	RetryAfter int             `json:"-"` // seconds; negative: absent
}

// FieldError names a refused field.
type FieldError struct {
	Field   string `json:"field"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func (problem *ProblemError) Error() string {
	return fmt.Sprintf("%s: %d %s, trace %s", problem.Request, problem.Status, problem.Code, problem.TraceID)
}

// Conclusive marks the only refusal after which a reserve may go back to the player.
func (problem *ProblemError) Conclusive() bool { return problem.Verdict == PaymentDecided }

// IsPlayerLimit marks a player's hourly limit: ask the player before you wait, because it lasts up to an hour.
func (problem *ProblemError) IsPlayerLimit() bool {
	for _, field := range problem.Errors {
		if field.Reason == "hourly_limit" {
			return true
		}
	}
	return false
}

// ErrNoAnswer wraps the failure of a call without a usable answer: the request may have been carried out. Repeat it, or
// look the payment up.
var ErrNoAnswer = errors.New("no usable answer")

// Gateway calls the gateway with one operation's key.
type Gateway struct {
	BaseURL, KeyID, Secret string
	// HTTP is used for every attempt. Give it the client certificate that production demands.
	HTTP        *http.Client
	MaxAttempts int
	GiveUpAfter time.Duration
	// Header goes with every request, such as Sandbox-Later-Version in a test.
	Header map[string]string
}

// New returns a Gateway with a timeout of 10 s, six attempts and a minute for all of them.
func New(baseURL, keyID, secret string) (*Gateway, error) {
	base, err := url.Parse(strings.TrimRight(baseURL, "/"))
	if err != nil || (base.Scheme != "http" && base.Scheme != "https") || !strings.HasSuffix(base.Path, "/v1") {
		return nil, errors.New("the base URL must be an http(s) address that ends in /v1")
	}
	noRedirect := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Gateway{
		BaseURL: base.String(), KeyID: keyID, Secret: secret,
		HTTP:        &http.Client{Timeout: 10 * time.Second, CheckRedirect: noRedirect},
		MaxAttempts: 6, GiveUpAfter: time.Minute,
	}, nil
}

// Get reads path, such as "/deposits/dep_…"; the query is part of it, already encoded.
func (gateway *Gateway) Get(ctx context.Context, path string) (*Answer, error) {
	return gateway.send(ctx, Read, http.MethodGet, path, nil, nil)
}

// Post sends body under the Idempotency-Key, which you store with the body before the first attempt. endpoint is Create,
// Act or OtherPost. The bytes are sent as they are; header may hold If-Match.
func (gateway *Gateway) Post(
	ctx context.Context, endpoint EndpointKind, path, idempotencyKey string, body []byte, header map[string]string,
) (*Answer, error) {
	if !keyPattern.MatchString(idempotencyKey) {
		return nil, errors.New("an Idempotency-Key has 16 to 128 characters of A-Z a-z 0-9 _ . : -")
	}
	headers := map[string]string{
		"Idempotency-Key": idempotencyKey, "Content-Type": "application/json; charset=utf-8",
	}
	for name, value := range header {
		headers[name] = value
	}
	return gateway.send(ctx, endpoint, http.MethodPost, path, body, headers)
}

// Events hands each event after `after` to the function, page by page up to the present, and stops at its first error.
// Store the id of the last event that you have dealt with.
func (gateway *Gateway) Events(ctx context.Context, after string, each func(Event) error) error {
	for {
		query := url.Values{"limit": {"200"}}
		if after != "" {
			query.Set("after", after)
		}
		answer, err := gateway.ListEvents(ctx, query)
		if err != nil {
			return err
		}
		var page struct {
			Data       []Event `json:"data"`
			NextCursor *string `json:"next_cursor"`
		}
		if err := json.Unmarshal(answer.Body, &page); err != nil {
			return err
		}
		for _, event := range page.Data {
			if err := each(event); err != nil {
				return err
			}
			after = event.ID
		}
		if page.NextCursor == nil || len(page.Data) == 0 {
			return nil
		}
	}
}

func (gateway *Gateway) send(
	ctx context.Context, endpoint EndpointKind, method, path string, body []byte, header map[string]string,
) (*Answer, error) {
	began := time.Now()
	for attempt := 1; ; attempt++ {
		answer, err := gateway.attempt(ctx, endpoint, method, path, body, header)
		if err == nil {
			return answer, nil
		}
		retryAfter := -1
		var problem *ProblemError
		if errors.As(err, &problem) {
			if problem.Verdict != Repeat {
				return nil, err
			}
			retryAfter = problem.RetryAfter
		} else {
			err = fmt.Errorf("%w: %w", ErrNoAnswer, err)
		}
		pause := PauseBeforeRepeat(attempt, retryAfter, mathrand.Float64())
		if attempt >= gateway.MaxAttempts || time.Since(began)+pause > gateway.GiveUpAfter {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(pause):
		}
	}
}

func (gateway *Gateway) attempt(
	ctx context.Context, endpoint EndpointKind, method, path string, body []byte, header map[string]string,
) (*Answer, error) {
	address, err := url.Parse(gateway.BaseURL)
	if err != nil {
		return nil, err
	}
	var nonce [16]byte
	if _, err := rand.Read(nonce[:]); err != nil {
		return nil, err
	}
	target := address.Path + path
	signed, err := SignatureHeaders(
		gateway.KeyID, gateway.Secret, time.Now().Unix(), hex.EncodeToString(nonce[:]), method, target, body,
	)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, gateway.BaseURL+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	// The bytes of the target are signed, so they are sent as they are.
	request.URL.Opaque = target
	request.URL.RawQuery = ""
	for _, headers := range []map[string]string{gateway.Header, header, signed} {
		for name, value := range headers {
			request.Header.Set(name, value)
		}
	}
	response, err := gateway.HTTP.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > maxAnswerBytes {
		return nil, errors.New("the answer is too long")
	}
	name := method + " " + strings.SplitN(path, "?", 2)[0]
	return read(endpoint, name, response, raw)
}

func read(endpoint EndpointKind, name string, response *http.Response, raw []byte) (*Answer, error) {
	status := response.StatusCode
	if status >= 200 && status < 300 {
		replayed := response.Header.Get("Idempotent-Replayed") == "true"
		return &Answer{Status: status, Header: response.Header, Body: raw, Replayed: replayed}, nil
	}
	if status < 400 {
		return nil, fmt.Errorf("unexpected status %d", status)
	}
	problem := ProblemError{}
	isProblem := strings.HasPrefix(response.Header.Get("Content-Type"), "application/problem+json")
	if !isProblem || json.Unmarshal(raw, &problem) != nil || problem.Code == "" {
		problem = ProblemError{Code: "unrecognised_answer"}
	}
	problem.Request, problem.Status, problem.RetryAfter = name, status, -1
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds >= 0 {
		problem.RetryAfter = seconds
	}
	var fields []string
	for _, field := range problem.Errors {
		fields = append(fields, field.Field)
	}
	problem.Verdict = VerdictOf(endpoint, status, problem.Code, problem.Retryable, fields)
	return nil, &problem
}
