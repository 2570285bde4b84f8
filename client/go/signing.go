// Package operatorpayments is a client of the Operator Payments Gateway, with the standard library only.
package operatorpayments

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
	"strconv"
	"strings"
)

var (
	noncePattern  = regexp.MustCompile(`^[0-9a-f]{32}$`)
	targetPattern = regexp.MustCompile(`^/[\x21-\x7e]*$`)
)

// CanonicalRequest returns the six lines that are signed. It refuses input that no server would accept.
func CanonicalRequest(timestamp int64, nonce, method, target string, body []byte) (string, error) {
	switch {
	case timestamp <= 0:
		return "", errors.New("timestamp must be whole Unix seconds")
	case !noncePattern.MatchString(nonce):
		return "", errors.New("nonce must be 32 lower-case hex characters")
	case !targetPattern.MatchString(target):
		// A line feed in the target would forge a line of the canonical request.
		return "", errors.New(`target must be a percent-encoded path that begins with "/"`)
	}
	lines := []string{"v1", strconv.FormatInt(timestamp, 10), nonce, strings.ToUpper(method), target, sha256Hex(body)}
	return strings.Join(lines, "\n"), nil
}

// SignatureHeaders returns the four Svc- headers. The secret is used as the text that you received, never decoded.
func SignatureHeaders(
	keyID, secret string, timestamp int64, nonce, method, target string, body []byte,
) (map[string]string, error) {
	lines, err := CanonicalRequest(timestamp, nonce, method, target, body)
	if err != nil {
		return nil, err
	}
	return map[string]string{
		"Svc-Key-Id":    keyID,
		"Svc-Timestamp": strconv.FormatInt(timestamp, 10),
		"Svc-Nonce":     nonce,
		"Svc-Signature": "v1=" + hmacHex(secret, lines),
	}, nil
}

func sha256Hex(bytes []byte) string {
	sum := sha256.Sum256(bytes)
	return hex.EncodeToString(sum[:])
}

func hmacHex(secret, text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}
