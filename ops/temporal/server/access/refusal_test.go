// What each content of a call is refused for, and what is permitted.

package access

import (
	"encoding/json"
	"strings"
	"testing"

	commandpb "go.temporal.io/api/command/v1"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	querypb "go.temporal.io/api/query/v1"
	schedulepb "go.temporal.io/api/schedule/v1"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	updatepb "go.temporal.io/api/update/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/protobuf/proto"
)

const claim = `{
	"namespace": "default",
	"methods": ["StartWorkflowExecution", "SignalWorkflowExecution", "SignalWithStartWorkflowExecution",
		"UpdateWorkflowExecution", "ExecuteMultiOperation", "QueryWorkflow", "CreateSchedule", "UpdateSchedule",
		"PollWorkflowTaskQueue", "PollActivityTaskQueue", "RespondWorkflowTaskCompleted",
		"OperatorService/ListSearchAttributes"],
	"workflows": {"deposit": "payments"},
	"signals": ["notice"], "updates": ["creation"], "queries": ["deposit"],
	"polls": ["payments"], "activity_queues": ["rules", "payments"]
}`

type startRequest = workflowservice.StartWorkflowExecutionRequest

func granted(t *testing.T, claim string) *Grants {
	t.Helper()
	grants, err := ParseGrants(json.RawMessage(claim))
	if err != nil {
		t.Fatal(err)
	}
	return grants
}

func kind(name string) *commonpb.WorkflowType  { return &commonpb.WorkflowType{Name: name} }
func queue(name string) *taskqueuepb.TaskQueue { return &taskqueuepb.TaskQueue{Name: name} }
func sticky(name, normal string) *taskqueuepb.TaskQueue {
	return &taskqueuepb.TaskQueue{Name: name, Kind: enumspb.TASK_QUEUE_KIND_STICKY, NormalName: normal}
}

func startOf(change func(*startRequest)) *startRequest {
	request := &startRequest{
		Namespace: "default", WorkflowType: kind("deposit"), TaskQueue: queue("payments"),
	}
	change(request)
	return request
}

func updateOf(namespace, name string) *workflowservice.UpdateWorkflowExecutionRequest {
	return &workflowservice.UpdateWorkflowExecutionRequest{
		Namespace: namespace, Request: &updatepb.Request{Input: &updatepb.Input{Name: name}},
	}
}

func withStart(
	start *startRequest, update *workflowservice.UpdateWorkflowExecutionRequest,
) *workflowservice.ExecuteMultiOperationRequest {
	return &workflowservice.ExecuteMultiOperationRequest{
		Namespace: "default",
		Operations: []*workflowservice.ExecuteMultiOperationRequest_Operation{
			{Operation: &workflowservice.ExecuteMultiOperationRequest_Operation_StartWorkflow{StartWorkflow: start}},
			{Operation: &workflowservice.ExecuteMultiOperationRequest_Operation_UpdateWorkflow{UpdateWorkflow: update}},
		},
	}
}

func scheduleOf(name, queueName string) *schedulepb.Schedule {
	return &schedulepb.Schedule{Action: &schedulepb.ScheduleAction{Action: &schedulepb.ScheduleAction_StartWorkflow{
		StartWorkflow: &workflowpb.NewWorkflowExecutionInfo{WorkflowType: kind(name), TaskQueue: queue(queueName)},
	}}}
}

func unchanged(*startRequest) {}

func TestContents(t *testing.T) {
	const sticks = "7@host-0123456789abcdef0123456789abcdef"
	start := workflowService + "StartWorkflowExecution"
	withSignal := workflowService + "SignalWithStartWorkflowExecution"
	multi := workflowService + "ExecuteMultiOperation"
	polls := workflowService + "PollWorkflowTaskQueue"
	signalWith := func(signal, name string) proto.Message {
		return &workflowservice.SignalWithStartWorkflowExecutionRequest{
			Namespace: "default", WorkflowType: kind(name), TaskQueue: queue("payments"), SignalName: signal,
		}
	}
	poll := func(queue *taskqueuepb.TaskQueue) proto.Message {
		return &workflowservice.PollWorkflowTaskQueueRequest{Namespace: "default", TaskQueue: queue}
	}
	otherType := startOf(func(s *startRequest) { s.WorkflowType = kind("withdrawal") })
	otherQueue := startOf(func(s *startRequest) { s.TaskQueue = queue("rules") })
	onSticky := startOf(func(s *startRequest) { s.TaskQueue = sticky("payments", "payments") })
	elsewhere := startOf(func(s *startRequest) { s.Namespace = "other" })
	nowhere := startOf(func(s *startRequest) { s.Namespace = "" })
	ending := startOf(func(s *startRequest) {
		s.WorkflowIdConflictPolicy = enumspb.WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING
	})
	endingBefore := startOf(func(s *startRequest) {
		s.WorkflowIdReusePolicy = enumspb.WORKFLOW_ID_REUSE_POLICY_TERMINATE_IF_RUNNING
	})
	eager := startOf(func(s *startRequest) { s.RequestEagerExecution = true })
	creation := updateOf("default", "creation")
	createSchedule := func(schedule *schedulepb.Schedule) proto.Message {
		return &workflowservice.CreateScheduleRequest{Namespace: "default", Schedule: schedule}
	}
	for name, test := range map[string]struct {
		method  string
		request proto.Message
		refusal string
	}{
		"a start":                        {start, startOf(unchanged), ""},
		"another type":                   {start, otherType, "workflow type"},
		"another queue":                  {start, otherQueue, "task queue"},
		"a sticky queue":                 {start, onSticky, "task queue"},
		"another namespace":              {start, elsewhere, "namespace"},
		"no namespace":                   {start, nowhere, "namespace"},
		"a start that ends the open run": {start, ending, "termination"},
		"the same by the older policy":   {start, endingBefore, "termination"},
		"a start whose answer is a task": {start, eager, "eager start"},

		"a signal with start":         {withSignal, signalWith("notice", "deposit"), ""},
		"another signal with start":   {withSignal, signalWith("other", "deposit"), "signal"},
		"a signal with another start": {withSignal, signalWith("notice", "withdrawal"), "workflow type"},
		"a signal": {workflowService + "SignalWorkflowExecution",
			&workflowservice.SignalWorkflowExecutionRequest{Namespace: "default", SignalName: "notice"}, ""},
		"another signal": {workflowService + "SignalWorkflowExecution",
			&workflowservice.SignalWorkflowExecutionRequest{Namespace: "default", SignalName: "other"}, "signal"},
		"an update":      {workflowService + "UpdateWorkflowExecution", updateOf("default", "creation"), ""},
		"another update": {workflowService + "UpdateWorkflowExecution", updateOf("default", "review"), "update"},
		"a query": {workflowService + "QueryWorkflow", &workflowservice.QueryWorkflowRequest{
			Namespace: "default", Query: &querypb.WorkflowQuery{QueryType: "deposit"}}, ""},
		"another query": {workflowService + "QueryWorkflow", &workflowservice.QueryWorkflowRequest{
			Namespace: "default", Query: &querypb.WorkflowQuery{QueryType: "__stack_trace"}}, "query"},

		"an update with start":         {multi, withStart(startOf(unchanged), creation), ""},
		"another update with start":    {multi, withStart(startOf(unchanged), updateOf("default", "review")), "update"},
		"an update with another start": {multi, withStart(otherType, creation), "workflow type"},
		"a start elsewhere":            {multi, withStart(elsewhere, creation), "namespace"},
		"an update elsewhere":          {multi, withStart(startOf(unchanged), updateOf("other", "creation")), "namespace"},
		"an operation of another kind": {multi, &workflowservice.ExecuteMultiOperationRequest{Namespace: "default",
			Operations: []*workflowservice.ExecuteMultiOperationRequest_Operation{{}}}, "operation"},

		"a schedule": {
			workflowService + "CreateSchedule", createSchedule(scheduleOf("deposit", "payments")), ""},
		"a schedule of another type": {
			workflowService + "CreateSchedule", createSchedule(scheduleOf("other", "payments")), "workflow type"},
		"a schedule that becomes another": {workflowService + "UpdateSchedule", &workflowservice.UpdateScheduleRequest{
			Namespace: "default", Schedule: scheduleOf("deposit", "rules")}, "task queue"},
		"a schedule of nothing": {workflowService + "CreateSchedule",
			&workflowservice.CreateScheduleRequest{Namespace: "default"}, "schedule"},

		"a poll":                                {polls, poll(queue("payments")), ""},
		"a poll of its own sticky queue":        {polls, poll(sticky(sticks, "payments")), ""},
		"a poll of another queue":               {polls, poll(queue("rules")), "task queue"},
		"a poll of a partition":                 {polls, poll(queue("/_sys/rules/1")), "task queue"},
		"a poll of another queue, named sticky": {polls, poll(sticky("rules", "payments")), "task queue"},
		"a poll of another's sticky queue":      {polls, poll(sticky(sticks, "rules")), "task queue"},
		"a poll of a partition, named sticky":   {polls, poll(sticky("/_sys/"+sticks, "payments")), "task queue"},
		"a poll of activities": {workflowService + "PollActivityTaskQueue",
			&workflowservice.PollActivityTaskQueueRequest{Namespace: "default", TaskQueue: queue("rules")}, "task queue"},

		"a method that is not granted": {workflowService + "TerminateWorkflowExecution",
			&workflowservice.TerminateWorkflowExecutionRequest{Namespace: "default"}, "method"},
		"a method of the operators": {operatorService + "ListSearchAttributes", nil, ""},
		"another of the operators":  {operatorService + "AddSearchAttributes", nil, "method"},
		"the same of another service": {
			"/temporal.server.api.adminservice.v1.AdminService/StartWorkflowExecution", startOf(unchanged), "method"},
	} {
		t.Run(name, func(t *testing.T) {
			if refusal := granted(t, claim).Refusal(test.method, test.request); refusal != test.refusal {
				t.Errorf("refused for %q, expected %q", refusal, test.refusal)
			}
		})
	}
}

func activity(name string, eager bool) *commandpb.Command {
	return &commandpb.Command{Attributes: &commandpb.Command_ScheduleActivityTaskCommandAttributes{
		ScheduleActivityTaskCommandAttributes: &commandpb.ScheduleActivityTaskCommandAttributes{
			TaskQueue: queue(name), RequestEagerExecution: eager}}}
}

func child(change func(*commandpb.StartChildWorkflowExecutionCommandAttributes)) *commandpb.Command {
	attributes := &commandpb.StartChildWorkflowExecutionCommandAttributes{
		WorkflowType: kind("deposit"), TaskQueue: queue("payments")}
	change(attributes)
	return &commandpb.Command{Attributes: &commandpb.Command_StartChildWorkflowExecutionCommandAttributes{
		StartChildWorkflowExecutionCommandAttributes: attributes}}
}

func signal(namespace, name string) *commandpb.Command {
	return &commandpb.Command{Attributes: &commandpb.Command_SignalExternalWorkflowExecutionCommandAttributes{
		SignalExternalWorkflowExecutionCommandAttributes: &commandpb.SignalExternalWorkflowExecutionCommandAttributes{
			Namespace: namespace, SignalName: name}}}
}

func next(name, queueName string) *commandpb.Command {
	return &commandpb.Command{Attributes: &commandpb.Command_ContinueAsNewWorkflowExecutionCommandAttributes{
		ContinueAsNewWorkflowExecutionCommandAttributes: &commandpb.ContinueAsNewWorkflowExecutionCommandAttributes{
			WorkflowType: kind(name), TaskQueue: queue(queueName)}}}
}

func TestCommands(t *testing.T) {
	type childOf = *commandpb.StartChildWorkflowExecutionCommandAttributes
	ending := child(func(c childOf) {
		c.WorkflowIdReusePolicy = enumspb.WORKFLOW_ID_REUSE_POLICY_TERMINATE_IF_RUNNING
	})
	for name, test := range map[string]struct {
		command *commandpb.Command
		refusal string
	}{
		"an activity":                      {activity("rules", false), ""},
		"an activity of another queue":     {activity("provider-a", false), "activity"},
		"its own activity, eagerly":        {activity("payments", true), ""},
		"another's activity, eagerly":      {activity("rules", true), "activity"},
		"a child":                          {child(func(childOf) {}), ""},
		"a child of another type":          {child(func(c childOf) { c.WorkflowType = kind("withdrawal") }), "workflow type"},
		"a child on another queue":         {child(func(c childOf) { c.TaskQueue = queue("rules") }), "task queue"},
		"a child elsewhere":                {child(func(c childOf) { c.Namespace = "other" }), "namespace"},
		"a child that ends the open run":   {ending, "termination"},
		"a signal":                         {signal("", "notice"), ""},
		"another signal":                   {signal("", "other"), "signal"},
		"a signal elsewhere":               {signal("other", "notice"), "namespace"},
		"its next run":                     {next("deposit", ""), ""},
		"its next run, queue named":        {next("deposit", "payments"), ""},
		"a next run of another type":       {next("withdrawal", ""), "workflow type"},
		"a next run on another queue":      {next("deposit", "rules"), "task queue"},
		"a command without its attributes": {&commandpb.Command{}, "command"},
		"the end of another workflow": {&commandpb.Command{
			Attributes: &commandpb.Command_RequestCancelExternalWorkflowExecutionCommandAttributes{}}, "command"},
		"a call of another service": {&commandpb.Command{
			Attributes: &commandpb.Command_ScheduleNexusOperationCommandAttributes{}}, "command"},
		"a timer": {&commandpb.Command{Attributes: &commandpb.Command_StartTimerCommandAttributes{}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			timer := &commandpb.Command{Attributes: &commandpb.Command_StartTimerCommandAttributes{}}
			request := &workflowservice.RespondWorkflowTaskCompletedRequest{
				Namespace: "default", Commands: []*commandpb.Command{timer, test.command}}
			refusal := granted(t, claim).Refusal(workflowService+"RespondWorkflowTaskCompleted", request)
			if refusal != test.refusal {
				t.Errorf("refused for %q, expected %q", refusal, test.refusal)
			}
		})
	}
}

// A claim that this server cannot read grants nothing.
func TestClaims(t *testing.T) {
	for _, bad := range []string{``, `[]`, `{"methods":["X"]}`, `{"namespace":"default","only_ids":["a"]}`} {
		if _, err := ParseGrants(json.RawMessage(bad)); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	grants := granted(t, `{"namespace":"default"}`)
	for _, method := range strings.Fields("StartWorkflowExecution PollActivityTaskQueue ListWorkflowExecutions") {
		if grants.Refusal(workflowService+method, nil) == "" {
			t.Errorf("%s is granted by nothing", method)
		}
	}
}
