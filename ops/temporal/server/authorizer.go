// Temporal's two questions about a call: who makes it (its token), and whether they may.

package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"gateway/temporal-server/access"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/log/tag"
	"google.golang.org/grpc"
)

// guard knows callers by their tokens, and permits what a token grants.
type guard struct {
	keys     *keyFile
	audience string
	tasks    *access.Tasks
	logger   log.Logger

	mutex sync.Mutex
	// The claims of tokens that were verified with these keys: callers are few, and show theirs with every call.
	verified map[string]*authorization.Claims
	with     *jose.JSONWebKeySet
}

const (
	// More tokens than there are callers; beyond it all are verified again.
	mostVerified   = 100
	bearer         = "bearer "
	longestToken   = 16_384
	refusalsLogged = 5
)

func newGuard(keys *keyFile, audience string, taskKey []byte, logger log.Logger) *guard {
	// A caller that is refused again and again shall not fill the log.
	throttled := log.NewThrottledLogger(logger, func() float64 { return refusalsLogged })
	return &guard{
		keys: keys, audience: audience, tasks: access.NewTasks(taskKey), logger: throttled,
		verified: map[string]*authorization.Claims{},
	}
}

var errNoToken = errors.New("the authorization is no token of this server")

// GetClaims verifies a caller's token. Temporal refuses the call if it returns an error.
func (g *guard) GetClaims(info *authorization.AuthInfo) (*authorization.Claims, error) {
	header := info.AuthToken
	if len(header) > longestToken || len(header) < len(bearer) || !strings.EqualFold(header[:len(bearer)], bearer) {
		return nil, errNoToken
	}
	token := header[len(bearer):]
	keys := g.keys.current()
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.with != keys || len(g.verified) >= mostVerified {
		g.with, g.verified = keys, map[string]*authorization.Claims{}
	}
	if known, isKnown := g.verified[token]; isKnown {
		return known, nil
	}
	claims, expires, err := g.verify(token, keys)
	if err != nil {
		return nil, err
	}
	if !expires {
		g.verified[token] = claims
	}
	return claims, nil
}

func (g *guard) verify(token string, keys *jose.JSONWebKeySet) (*authorization.Claims, bool, error) {
	signed, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		return nil, false, errNoToken
	}
	var standard jwt.Claims
	var own struct {
		Temporal json.RawMessage `json:"temporal"`
	}
	if err := signed.Claims(keys, &standard, &own); err != nil {
		return nil, false, errNoToken
	}
	if err := standard.Validate(jwt.Expected{AnyAudience: jwt.Audience{g.audience}}); err != nil {
		return nil, false, errNoToken
	}
	grants, err := access.ParseGrants(own.Temporal)
	if err != nil {
		return nil, false, err
	}
	if standard.Subject == "" {
		return nil, false, errNoToken
	}
	return &authorization.Claims{Subject: standard.Subject, Extensions: grants}, standard.Expiry != nil, nil
}

var (
	permitted = authorization.Result{Decision: authorization.DecisionAllow}
	refused   = authorization.Result{Decision: authorization.DecisionDeny}
)

// Authorize permits what the caller's token grants, and to everybody the question whether the server is there.
func (g *guard) Authorize(
	_ context.Context, claims *authorization.Claims, target *authorization.CallTarget,
) (authorization.Result, error) {
	// No token says this: it is what the internal frontend, which only the server's own worker reaches, says of all.
	isServer := claims != nil && claims.System&authorization.RoleAdmin != 0
	if isServer || authorization.IsHealthCheckAPI(target.APIName) {
		return permitted, nil
	}
	grants := grantsOf(claims)
	if grants == nil {
		return refused, nil
	}
	refusal := grants.Refusal(target.APIName, target.Request)
	if refusal == "" {
		if task, answersTask := access.TokenOf(target.Request); answersTask && !g.tasks.IsOf(claims.Subject, task) {
			refusal = "task"
		}
	}
	if refusal == "" {
		return permitted, nil
	}
	g.logger.Warn("a call was refused", tag.NewStringTag("caller", claims.Subject),
		tag.NewStringTag("method", target.APIName), tag.NewStringTag("not-granted", refusal))
	return refused, nil
}

// markTasks marks the tasks that an answer hands to a caller as its own.
func (g *guard) markTasks(
	ctx context.Context, request any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler,
) (any, error) {
	response, err := handler(ctx, request)
	claims, _ := ctx.Value(authorization.MappedClaims).(*authorization.Claims)
	if err == nil && grantsOf(claims) != nil {
		g.tasks.Mark(claims.Subject, response)
	}
	return response, err
}

// grantsOf is nil for a caller without a token of ours, such as the server's own worker.
func grantsOf(claims *authorization.Claims) *access.Grants {
	if claims == nil {
		return nil
	}
	grants, _ := claims.Extensions.(*access.Grants)
	return grants
}
