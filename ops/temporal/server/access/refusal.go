// Which calls are refused: by their method first, then by what they ask for.

package access

import (
	"regexp"

	commandpb "go.temporal.io/api/command/v1"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	schedulepb "go.temporal.io/api/schedule/v1"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
)

// Refusal says why a call is refused, in words without anything that the caller sent; "" permits it.
func (g *Grants) Refusal(method string, request any) string {
	if !g.has(shortName(method)) {
		return "method"
	}
	if named, ok := request.(interface{ GetNamespace() string }); ok && named.GetNamespace() != g.Namespace {
		return "namespace"
	}
	return g.refusalOfContent(request)
}

// refusalOfContent looks at what a permitted method is asked to do.
func (g *Grants) refusalOfContent(request any) string {
	switch asked := request.(type) {
	case *workflowservice.StartWorkflowExecutionRequest:
		return g.refusalOfStart(asked)
	case *workflowservice.SignalWithStartWorkflowExecutionRequest:
		return firstOf(refusalOf("signal", contains(g.Signals, asked.GetSignalName())), g.refusalOfStart(asked))
	case *workflowservice.SignalWorkflowExecutionRequest:
		return refusalOf("signal", contains(g.Signals, asked.GetSignalName()))
	case *workflowservice.UpdateWorkflowExecutionRequest:
		return refusalOf("update", contains(g.Updates, asked.GetRequest().GetInput().GetName()))
	case *workflowservice.QueryWorkflowRequest:
		return refusalOf("query", contains(g.Queries, asked.GetQuery().GetQueryType()))
	case *workflowservice.ExecuteMultiOperationRequest:
		return g.refusalOfOperations(asked.GetOperations())
	case *workflowservice.CreateScheduleRequest:
		return g.refusalOfSchedule(asked.GetSchedule())
	case *workflowservice.UpdateScheduleRequest:
		return g.refusalOfSchedule(asked.GetSchedule())
	case *workflowservice.PollWorkflowTaskQueueRequest:
		return g.refusalOfPoll(asked.GetTaskQueue())
	case *workflowservice.PollActivityTaskQueueRequest:
		return g.refusalOfPoll(asked.GetTaskQueue())
	case *workflowservice.RespondWorkflowTaskCompletedRequest:
		return g.refusalOfCommands(asked.GetCommands())
	}
	return ""
}

// start is what the two requests that start a workflow have in common.
type start interface {
	GetWorkflowType() *commonpb.WorkflowType
	GetTaskQueue() *taskqueuepb.TaskQueue
	GetWorkflowIdReusePolicy() enumspb.WorkflowIdReusePolicy
	GetWorkflowIdConflictPolicy() enumspb.WorkflowIdConflictPolicy
}

func (g *Grants) refusalOfStart(asked start) string {
	// Both policies end the run that is there.
	ends := asked.GetWorkflowIdReusePolicy() == enumspb.WORKFLOW_ID_REUSE_POLICY_TERMINATE_IF_RUNNING ||
		asked.GetWorkflowIdConflictPolicy() == enumspb.WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING
	// The answer to an eager start is a task: work for those that poll.
	eager, canBeEager := asked.(interface{ GetRequestEagerExecution() bool })
	return firstOf(
		g.refusalOfType(asked.GetWorkflowType(), asked.GetTaskQueue()),
		refusalOf("termination", !ends || g.has(terminate)),
		refusalOf("eager start", !canBeEager || !eager.GetRequestEagerExecution()),
	)
}

func (g *Grants) refusalOfType(kind *commonpb.WorkflowType, queue *taskqueuepb.TaskQueue) string {
	own, known := g.Workflows[kind.GetName()]
	return firstOf(
		refusalOf("workflow type", known),
		refusalOf("task queue", own == queue.GetName() && isNormal(queue)),
	)
}

func (g *Grants) refusalOfOperations(asked []*workflowservice.ExecuteMultiOperationRequest_Operation) string {
	for _, one := range asked {
		refusal := "operation"
		if start := one.GetStartWorkflow(); start != nil {
			refusal = firstOf(refusalOf("namespace", start.GetNamespace() == g.Namespace), g.refusalOfStart(start))
		} else if update := one.GetUpdateWorkflow(); update != nil {
			refusal = firstOf(refusalOf("namespace", update.GetNamespace() == g.Namespace), g.refusalOfContent(update))
		}
		if refusal != "" {
			return refusal
		}
	}
	return ""
}

func (g *Grants) refusalOfSchedule(asked *schedulepb.Schedule) string {
	start := asked.GetAction().GetStartWorkflow()
	if start == nil {
		return "schedule"
	}
	return g.refusalOfType(start.GetWorkflowType(), start.GetTaskQueue())
}

// A worker's own queue for workflows that it remembers: the SDK ends its name with a random number. The server keeps
// such a queue by its name alone, so another name here would be another worker's queue.
var stickyName = regexp.MustCompile(`^[^/].*-[0-9a-f]{32}$`)

func (g *Grants) refusalOfPoll(queue *taskqueuepb.TaskQueue) string {
	if queue.GetKind() == enumspb.TASK_QUEUE_KIND_STICKY {
		isOwn := contains(g.Polls, queue.GetNormalName()) && stickyName.MatchString(queue.GetName())
		return refusalOf("task queue", isOwn)
	}
	return refusalOf("task queue", contains(g.Polls, queue.GetName()) && isNormal(queue))
}

func isNormal(queue *taskqueuepb.TaskQueue) bool {
	return queue.GetKind() != enumspb.TASK_QUEUE_KIND_STICKY && queue.GetNormalName() == ""
}

// refusalOfCommands looks at what a workflow's code asks the server to do when it answers a task.
func (g *Grants) refusalOfCommands(commands []*commandpb.Command) string {
	for _, command := range commands {
		if refusal := g.refusalOfCommand(command); refusal != "" {
			return refusal
		}
	}
	return ""
}

func (g *Grants) refusalOfCommand(command *commandpb.Command) string {
	switch asked := command.GetAttributes().(type) {
	case *commandpb.Command_ScheduleActivityTaskCommandAttributes:
		activity := asked.ScheduleActivityTaskCommandAttributes
		queue := activity.GetTaskQueue()
		// The answer to an eager one is a task: work for those that poll the queue.
		isEager := activity.GetRequestEagerExecution() && !contains(g.Polls, queue.GetName())
		return refusalOf("activity", contains(g.ActivityQueues, queue.GetName()) && isNormal(queue) && !isEager)
	case *commandpb.Command_StartChildWorkflowExecutionCommandAttributes:
		child := asked.StartChildWorkflowExecutionCommandAttributes
		ends := child.GetWorkflowIdReusePolicy() == enumspb.WORKFLOW_ID_REUSE_POLICY_TERMINATE_IF_RUNNING
		return firstOf(
			g.refusalOfOther(child.GetNamespace()),
			g.refusalOfType(child.GetWorkflowType(), child.GetTaskQueue()),
			refusalOf("termination", !ends || g.has(terminate)),
		)
	case *commandpb.Command_SignalExternalWorkflowExecutionCommandAttributes:
		signal := asked.SignalExternalWorkflowExecutionCommandAttributes
		return firstOf(
			g.refusalOfOther(signal.GetNamespace()),
			refusalOf("signal", contains(g.Signals, signal.GetSignalName())),
		)
	case *commandpb.Command_ContinueAsNewWorkflowExecutionCommandAttributes:
		next := asked.ContinueAsNewWorkflowExecutionCommandAttributes
		_, known := g.Workflows[next.GetWorkflowType().GetName()]
		if next.GetTaskQueue().GetName() == "" {
			// It stays on the queue that it has.
			return refusalOf("workflow type", known)
		}
		return g.refusalOfType(next.GetWorkflowType(), next.GetTaskQueue())
	case *commandpb.Command_RequestCancelExternalWorkflowExecutionCommandAttributes,
		*commandpb.Command_ScheduleNexusOperationCommandAttributes,
		*commandpb.Command_RequestCancelNexusOperationCommandAttributes:
		return "command"
	case *commandpb.Command_StartTimerCommandAttributes,
		*commandpb.Command_CancelTimerCommandAttributes,
		*commandpb.Command_CompleteWorkflowExecutionCommandAttributes,
		*commandpb.Command_FailWorkflowExecutionCommandAttributes,
		*commandpb.Command_CancelWorkflowExecutionCommandAttributes,
		*commandpb.Command_RequestCancelActivityTaskCommandAttributes,
		*commandpb.Command_RecordMarkerCommandAttributes,
		*commandpb.Command_UpsertWorkflowSearchAttributesCommandAttributes,
		*commandpb.Command_ProtocolMessageCommandAttributes,
		*commandpb.Command_ModifyWorkflowPropertiesCommandAttributes:
		return ""
	}
	return "command"
}

// refusalOfOther refuses a command for another namespace; an empty one is the workflow's own.
func (g *Grants) refusalOfOther(namespace string) string {
	return refusalOf("namespace", namespace == "" || namespace == g.Namespace)
}

func contains(names []string, name string) bool {
	for _, one := range names {
		if one == name {
			return true
		}
	}
	return false
}

func refusalOf(what string, isGranted bool) string {
	if isGranted {
		return ""
	}
	return what
}

func firstOf(refusals ...string) string {
	for _, one := range refusals {
		if one != "" {
			return one
		}
	}
	return ""
}
