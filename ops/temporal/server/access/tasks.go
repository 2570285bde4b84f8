// Who may answer a task: the caller that it was handed to.

package access

import (
	"crypto/hmac"
	"crypto/sha256"

	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/protobuf/encoding/protowire"
)

// Tasks marks every task that the server hands out with whom it was handed to, and knows the mark again in the answer.
// The server's own task tokens are plain numbers and names, which anybody could write for a task of another worker.
type Tasks struct{ key []byte }

// NewTasks takes a key that every frontend of a server has, and nobody else.
func NewTasks(key []byte) *Tasks { return &Tasks{key} }

// A field that no task token has: the server passes over what it does not know.
const markField = 9_999

var markTag = protowire.AppendVarint(
	protowire.AppendTag(nil, markField, protowire.BytesType), sha256.Size,
)

func (t *Tasks) markOf(subject string, token []byte) []byte {
	sum := hmac.New(sha256.New, t.key)
	sum.Write([]byte(subject))
	sum.Write([]byte{0})
	sum.Write(token)
	return sum.Sum(nil)
}

func (t *Tasks) marked(subject string, token []byte) []byte {
	if len(token) == 0 {
		// A poll that ended without a task.
		return token
	}
	mark := t.markOf(subject, token)
	return append(append(append(make([]byte, 0, len(token)+len(markTag)+len(mark)), token...), markTag...), mark...)
}

// IsOf says whether the task was handed to this caller.
func (t *Tasks) IsOf(subject string, token []byte) bool {
	end := len(token) - len(markTag) - sha256.Size
	if end <= 0 || string(token[end:end+len(markTag)]) != string(markTag) {
		return false
	}
	return hmac.Equal(token[end+len(markTag):], t.markOf(subject, token[:end]))
}

// Mark marks the tasks of an answer to this caller.
func (t *Tasks) Mark(subject string, response any) {
	switch answer := response.(type) {
	case *workflowservice.PollWorkflowTaskQueueResponse:
		if answer != nil {
			answer.TaskToken = t.marked(subject, answer.TaskToken)
		}
	case *workflowservice.PollActivityTaskQueueResponse:
		if answer != nil {
			answer.TaskToken = t.marked(subject, answer.TaskToken)
		}
	case *workflowservice.RespondWorkflowTaskCompletedResponse:
		t.Mark(subject, answer.GetWorkflowTask())
		for _, activity := range answer.GetActivityTasks() {
			t.Mark(subject, activity)
		}
	}
}

// TokenOf is the task that a request answers; nil for a request that answers none.
func TokenOf(request any) ([]byte, bool) {
	if answer, ok := request.(interface{ GetTaskToken() []byte }); ok {
		return answer.GetTaskToken(), true
	}
	return nil, false
}
