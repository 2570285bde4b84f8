// Package access decides which calls of Temporal's frontend a caller may make. What its token grants is made by the
// gateway command (cli/certificates/temporal-grants.ts); everything else is refused.
package access

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// Grants is the claim "temporal" of a caller's token.
type Grants struct {
	Namespace string `json:"namespace"`
	// Methods are names of the WorkflowService; those of the OperatorService with its name and a slash before them.
	Methods []string `json:"methods"`
	// Workflows are the types that may be started, each with its only task queue.
	Workflows map[string]string `json:"workflows"`
	Signals   []string          `json:"signals"`
	Updates   []string          `json:"updates"`
	Queries   []string          `json:"queries"`
	// Polls are the task queues whose tasks the caller takes.
	Polls []string `json:"polls"`
	// ActivityQueues are those to which its workflows send activities.
	ActivityQueues []string `json:"activity_queues"`
}

// ParseGrants reads the claim. A field that this server does not know may narrow what is granted, so it is an error.
func ParseGrants(claim json.RawMessage) (*Grants, error) {
	if len(claim) == 0 {
		return nil, errors.New("the token grants nothing")
	}
	decoder := json.NewDecoder(strings.NewReader(string(claim)))
	decoder.DisallowUnknownFields()
	grants := &Grants{}
	if err := decoder.Decode(grants); err != nil {
		return nil, errors.New("the token's grants cannot be read")
	}
	if grants.Namespace == "" {
		return nil, errors.New("the token names no namespace")
	}
	return grants, nil
}

const (
	workflowService = "/temporal.api.workflowservice.v1.WorkflowService/"
	operatorService = "/temporal.api.operatorservice.v1.OperatorService/"
	operatorPrefix  = "OperatorService/"
	terminate       = "TerminateWorkflowExecution"
)

// shortName is the name by which grants call a method, or "" for a service that nobody is granted.
func shortName(method string) string {
	if name, isOurs := strings.CutPrefix(method, workflowService); isOurs {
		return name
	}
	if name, isOurs := strings.CutPrefix(method, operatorService); isOurs {
		return operatorPrefix + name
	}
	return ""
}

func (g *Grants) has(method string) bool {
	return method != "" && slices.Contains(g.Methods, method)
}
