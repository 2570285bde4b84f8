package operatorpayments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"sort"
	"strings"
)

// CanonicalList returns the RFC 8785 bytes of a day's items, in the order served. Items hold only objects, text and
// null, as encoding/json reads them into `any`.
func CanonicalList(items []any) ([]byte, error) {
	var text strings.Builder
	if err := writeCanonical(&text, items); err != nil {
		return nil, err
	}
	return []byte(text.String()), nil
}

// DigestOf returns the digest that the last page of a day must state.
func DigestOf(items []any) (string, error) {
	bytes, err := CanonicalList(items)
	return sha256Hex(bytes), err
}

// IsOrdered says whether the items are sorted by (object_id, kind). Parts of one payment that went back on one day
// repeat the pair.
func IsOrdered(items []any) bool {
	pair := func(index int) (string, string) {
		item, _ := items[index].(map[string]any)
		objectID, _ := item["object_id"].(string)
		kind, _ := item["kind"].(string)
		return objectID, kind
	}
	return sort.SliceIsSorted(items, func(one, other int) bool {
		objectID, kind := pair(one)
		otherID, otherKind := pair(other)
		return objectID < otherID || (objectID == otherID && kind < otherKind)
	})
}

// Day is a closed day, read whole.
type Day struct {
	Date, Currency string
	Items          []any
	// Digest as the gateway states it: compare it with DigestOf(Items).
	Digest string
	// Signature for VerifyDay.
	Signature string
}

// ReadDay reads every page of a closed day. An open day is a ProblemError with the code day_open.
func (gateway *Gateway) ReadDay(ctx context.Context, date, currency string) (*Day, error) {
	day := &Day{Date: date, Currency: currency}
	query := url.Values{"date": {date}, "currency": {currency}, "limit": {"200"}}
	for {
		answer, err := gateway.GetReconciliation(ctx, query)
		if err != nil {
			return nil, err
		}
		var page struct {
			Items      []any   `json:"items"`
			NextCursor *string `json:"next_cursor"`
			Digest     *string `json:"digest"`
		}
		if err := json.Unmarshal(answer.Body, &page); err != nil {
			return nil, err
		}
		day.Items = append(day.Items, page.Items...)
		if page.NextCursor == nil {
			if page.Digest == nil {
				return nil, errors.New("the last page has no digest")
			}
			day.Digest, day.Signature = *page.Digest, answer.Header.Get("Svc-Signature")
			return day, nil
		}
		query.Set("cursor", *page.NextCursor)
	}
}

// VerifyDay says whether one of these webhook secrets signed the day. Give the digest that you computed.
func VerifyDay(date, currency, digest, signature string, secrets []string) bool {
	signed := strings.Join([]string{"v1", "reconciliation", date, currency, digest}, "\n")
	values := signatureValues(signature)
	return values != nil && anyMatches(secrets, signed, values)
}

func writeCanonical(text *strings.Builder, value any) error {
	switch typed := value.(type) {
	case nil:
		text.WriteString("null")
	case string:
		writeText(text, typed)
	case []any:
		text.WriteByte('[')
		for index, item := range typed {
			if index > 0 {
				text.WriteByte(',')
			}
			if err := writeCanonical(text, item); err != nil {
				return err
			}
		}
		text.WriteByte(']')
	case map[string]any:
		names := make([]string, 0, len(typed))
		for name := range typed {
			names = append(names, name)
		}
		sort.Strings(names)
		text.WriteByte('{')
		for index, name := range names {
			if index > 0 {
				text.WriteByte(',')
			}
			writeText(text, name)
			text.WriteByte(':')
			if err := writeCanonical(text, typed[name]); err != nil {
				return err
			}
		}
		text.WriteByte('}')
	default:
		return errors.New("an item holds only objects, text and null")
	}
	return nil
}

var shortEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`}

// writeText does not use encoding/json, which also escapes <, >, &, U+2028 and U+2029.
func writeText(text *strings.Builder, value string) {
	text.WriteByte('"')
	for _, character := range value {
		switch escaped, isShort := shortEscapes[character]; {
		case isShort:
			text.WriteString(escaped)
		case character < 0x20:
			fmt.Fprintf(text, `\u%04x`, character)
		default:
			text.WriteRune(character)
		}
	}
	text.WriteByte('"')
}
