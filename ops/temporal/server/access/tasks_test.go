// A task is answered by whom it was handed to, and by nobody else.

package access

import (
	"bytes"
	"testing"

	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
)

var key = []byte("a key of thirty-two bytes at least")

// Any message of the server's: it must still read the token, and pass over the mark.
func plainToken(t *testing.T) []byte {
	t.Helper()
	token, err := proto.Marshal(&timestamppb.Timestamp{Seconds: 7, Nanos: 8})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func handedOut(t *testing.T, tasks *Tasks, subject string) []byte {
	t.Helper()
	response := &workflowservice.PollActivityTaskQueueResponse{TaskToken: plainToken(t)}
	tasks.Mark(subject, response)
	return response.TaskToken
}

func TestMarks(t *testing.T) {
	tasks := NewTasks(key)
	token := handedOut(t, tasks, "worker-payments")
	if !tasks.IsOf("worker-payments", token) {
		t.Error("its own task is refused")
	}
	read := &timestamppb.Timestamp{}
	if err := proto.Unmarshal(token, read); err != nil || read.Seconds != 7 || read.Nanos != 8 {
		t.Errorf("the server reads %v: %v", read, err)
	}
	other := bytes.Clone(token)
	other[1] ^= 1
	for name, bad := range map[string][]byte{
		"no token": nil, "a plain one": plainToken(t), "half a mark": token[:len(token)-1], "another task": other,
	} {
		if tasks.IsOf("worker-payments", bad) {
			t.Errorf("%s is taken", name)
		}
	}
	if tasks.IsOf("worker-webhooks", token) {
		t.Error("another caller answers it")
	}
	if NewTasks([]byte("another key of another deployment")).IsOf("worker-payments", token) {
		t.Error("another server takes it")
	}
}

func TestMarksWhateverIsHandedOut(t *testing.T) {
	tasks := NewTasks(key)
	answer := &workflowservice.RespondWorkflowTaskCompletedResponse{
		WorkflowTask:  &workflowservice.PollWorkflowTaskQueueResponse{TaskToken: plainToken(t)},
		ActivityTasks: []*workflowservice.PollActivityTaskQueueResponse{{TaskToken: plainToken(t)}},
	}
	tasks.Mark("one", answer)
	for _, token := range [][]byte{answer.WorkflowTask.TaskToken, answer.ActivityTasks[0].TaskToken} {
		if !tasks.IsOf("one", token) {
			t.Error("a task that came with an answer is not marked")
		}
	}
	nothing := &workflowservice.PollWorkflowTaskQueueResponse{}
	tasks.Mark("one", nothing)
	tasks.Mark("one", &workflowservice.RespondWorkflowTaskCompletedResponse{})
	if len(nothing.TaskToken) != 0 {
		t.Error("a poll that ended without a task has one")
	}
}

func TestTokenOf(t *testing.T) {
	for _, request := range []any{
		&workflowservice.RespondWorkflowTaskCompletedRequest{}, &workflowservice.RespondWorkflowTaskFailedRequest{},
		&workflowservice.RespondActivityTaskCompletedRequest{}, &workflowservice.RespondActivityTaskFailedRequest{},
		&workflowservice.RespondActivityTaskCanceledRequest{}, &workflowservice.RecordActivityTaskHeartbeatRequest{},
		&workflowservice.RespondQueryTaskCompletedRequest{},
	} {
		if _, answers := TokenOf(request); !answers {
			t.Errorf("%T answers no task", request)
		}
	}
	if _, answers := TokenOf(&workflowservice.StartWorkflowExecutionRequest{}); answers {
		t.Error("a start answers a task")
	}
}
