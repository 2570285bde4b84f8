// Who is who by a token, and that a call without one is refused.

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/log"
	"google.golang.org/grpc"
)

const (
	audience = "temporal-of-this-deployment"
	service  = "/temporal.api.workflowservice.v1.WorkflowService/"
)

type signer struct {
	id  string
	key *ecdsa.PrivateKey
}

func newSigner(t *testing.T, id string) signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return signer{id, key}
}

func (s signer) token(t *testing.T, standard jwt.Claims, own map[string]any) string {
	t.Helper()
	key := jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: s.key, KeyID: s.id}}
	with, err := jose.NewSigner(key, nil)
	if err != nil {
		t.Fatal(err)
	}
	token, err := jwt.Signed(with).Claims(standard).Claims(own).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func publish(t *testing.T, path string, signers ...signer) {
	t.Helper()
	set := jose.JSONWebKeySet{}
	for _, one := range signers {
		set.Keys = append(set.Keys, jose.JSONWebKey{Key: &one.key.PublicKey, KeyID: one.id, Algorithm: "ES256"})
	}
	content, err := json.Marshal(set)
	if err == nil {
		err = os.WriteFile(path, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func guardWith(t *testing.T, signers ...signer) *guard {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keys.json")
	publish(t, path, signers...)
	keys, err := openKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	return newGuard(keys, audience, []byte("a key of thirty-two bytes at least"), log.NewNoopLogger())
}

func claimsOf(guard *guard, header string) (*authorization.Claims, error) {
	return guard.GetClaims(&authorization.AuthInfo{AuthToken: header})
}

var (
	ours   = jwt.Claims{Subject: "rules", Audience: jwt.Audience{audience}}
	grants = map[string]any{"temporal": map[string]any{
		"namespace": "default", "polls": []string{"rules"},
		"methods": []string{"PollActivityTaskQueue", "RespondActivityTaskCompleted"},
	}}
)

func TestTokens(t *testing.T) {
	known, stranger := newSigner(t, "1"), newSigner(t, "1")
	guard := guardWith(t, known)
	elsewhere := jwt.Claims{Subject: "rules", Audience: jwt.Audience{"x"}}
	roles := map[string]any{"permissions": []string{"default:write"}}
	for name, test := range map[string]struct {
		header string
		taken  bool
	}{
		"its own":             {"Bearer " + known.token(t, ours, grants), true},
		"in small letters":    {"bearer " + known.token(t, ours, grants), true},
		"without the scheme":  {known.token(t, ours, grants), false},
		"empty":               {"", false},
		"no token":            {"Bearer x", false},
		"by another key":      {"Bearer " + stranger.token(t, ours, grants), false},
		"by an unknown key":   {"Bearer " + newSigner(t, "2").token(t, ours, grants), false},
		"of another server":   {"Bearer " + known.token(t, elsewhere, grants), false},
		"of no server":        {"Bearer " + known.token(t, jwt.Claims{Subject: "rules"}, grants), false},
		"of nobody":           {"Bearer " + known.token(t, jwt.Claims{Audience: jwt.Audience{audience}}, grants), false},
		"that grants nothing": {"Bearer " + known.token(t, ours, nil), false},
		"that has expired":    {"Bearer " + known.token(t, expiring(-time.Hour), grants), false},
		"that expires later":  {"Bearer " + known.token(t, expiring(time.Hour), grants), true},
		"with older roles":    {"Bearer " + known.token(t, ours, roles), false},
		"signed by nothing":   {"Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.", false},
		"too long to be read": {"Bearer " + string(make([]byte, longestToken)), false},
	} {
		t.Run(name, func(t *testing.T) {
			for range 2 {
				claims, err := claimsOf(guard, test.header)
				if (err == nil) != test.taken {
					t.Fatalf("taken: %v (%v)", err == nil, err)
				}
				if err == nil && (claims.Subject != "rules" || grantsOf(claims) == nil || claims.System != 0) {
					t.Errorf("it is of %q", claims.Subject)
				}
			}
		})
	}
}

func expiring(in time.Duration) jwt.Claims {
	claims := ours
	claims.Expiry = jwt.NewNumericDate(time.Now().Add(in))
	return claims
}

func TestKeysThatChange(t *testing.T) {
	before, after := newSigner(t, "before"), newSigner(t, "after")
	guard := guardWith(t, before)
	old, renewed := "Bearer "+before.token(t, ours, grants), "Bearer "+after.token(t, ours, grants)
	if _, err := claimsOf(guard, old); err != nil {
		t.Fatal(err)
	}
	publish(t, guard.keys.path, after)
	guard.keys.readAt = time.Time{}
	if _, err := claimsOf(guard, old); err == nil {
		t.Error("a token of before is taken")
	}
	if _, err := claimsOf(guard, renewed); err != nil {
		t.Error("a token by the new key is refused")
	}
	if err := os.WriteFile(guard.keys.path, []byte("half a fi"), 0o600); err != nil {
		t.Fatal(err)
	}
	guard.keys.readAt = time.Time{}
	if _, err := claimsOf(guard, renewed); err != nil {
		t.Error("a file that cannot be read locks everybody out")
	}
}

func TestKeysMustBePublic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	private := jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: newSigner(t, "1").key, KeyID: "1"}}}
	content, _ := json.Marshal(private)
	_ = os.WriteFile(path, content, 0o600)
	if _, err := openKeys(path); err == nil {
		t.Error("a private key is taken")
	}
	if _, err := openKeys(path + ".missing"); err == nil {
		t.Error("a server without keys starts")
	}
}

func TestCalls(t *testing.T) {
	known := newSigner(t, "1")
	guard := guardWith(t, known)
	claims, err := claimsOf(guard, "Bearer "+known.token(t, ours, grants))
	if err != nil {
		t.Fatal(err)
	}
	allowed := func(claims *authorization.Claims, method string, request any) bool {
		target := &authorization.CallTarget{APIName: service + method, Request: request, Namespace: "default"}
		result, err := guard.Authorize(context.Background(), claims, target)
		return err == nil && result.Decision == authorization.DecisionAllow
	}
	response, err := guard.markTasks(
		context.WithValue(context.Background(), authorization.MappedClaims, claims), nil, &grpc.UnaryServerInfo{},
		func(context.Context, any) (any, error) {
			return &workflowservice.PollActivityTaskQueueResponse{TaskToken: []byte{8, 1}}, nil
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	answerTo := func(token []byte) any {
		return &workflowservice.RespondActivityTaskCompletedRequest{Namespace: "default", TaskToken: token}
	}
	handedOut := response.(*workflowservice.PollActivityTaskQueueResponse).TaskToken
	other := &authorization.Claims{Subject: "another", Extensions: claims.Extensions}
	server := &authorization.Claims{System: authorization.RoleAdmin}
	roles := &authorization.Claims{System: authorization.RoleReader, Namespaces: map[string]authorization.Role{
		"default": authorization.RoleAdmin,
	}}
	for name, test := range map[string]struct{ permitted, expected bool }{
		"the server's health, by anybody":  {allowed(nil, "GetSystemInfo", nil), true},
		"anything else, by anybody":        {allowed(nil, "ListNamespaces", nil), false},
		"anything, by the server's worker": {allowed(server, "ListNamespaces", nil), true},
		"by roles of Temporal's own":       {allowed(roles, "ListNamespaces", nil), false},
		"what is not granted":              {allowed(claims, "TerminateWorkflowExecution", nil), false},
		"its own task":                     {allowed(claims, "RespondActivityTaskCompleted", answerTo(handedOut)), true},
		"a task that nobody handed out":    {allowed(claims, "RespondActivityTaskCompleted", answerTo([]byte{8, 1})), false},
		"a task of another caller":         {allowed(other, "RespondActivityTaskCompleted", answerTo(handedOut)), false},
	} {
		if test.permitted != test.expected {
			t.Errorf("%s: permitted %v", name, test.permitted)
		}
	}
}
