// Carries the trace that a run was started in to everything the run starts: the interceptors of the second workflow bundle.
// Nothing here awaits, draws a number or sets a timer, so a history replays alike with either bundle, whichever wrote it.
import type {
  WorkflowInboundCallsInterceptor,
  WorkflowInterceptorsFactory,
  WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';
import { proxySinks, workflowInfo } from '@temporalio/workflow';
import { headersOf, traceIn, type TraceSinks } from '../contract/temporal/tracing.js';
import { spanIdOfRun, type TraceContext } from '../domain/trace-context.js';

const { trace } = proxySinks<TraceSinks>();

export const interceptors: WorkflowInterceptorsFactory = () => {
  // What the run starts comes from the run, not from the message that woke it: everything passes through its inbox.
  let own: TraceContext | null = null;
  const carried = <Input extends { readonly headers: ReturnType<typeof headersOf> }>(input: Input): Input =>
    own === null ? input : { ...input, headers: { ...input.headers, ...headersOf(own) } };
  const tell = (kind: 'signal' | 'update', name: string, headers: ReturnType<typeof headersOf>) => {
    const caller = traceIn(headers);
    if (caller !== null) trace.taken(kind, name, caller, own, Date.now());
  };
  const inbound: WorkflowInboundCallsInterceptor = {
    execute(input, next) {
      const caller = traceIn(input.headers);
      if (caller !== null) {
        own = { ...caller, spanId: spanIdOfRun(workflowInfo().runId) };
        trace.begun(caller, Date.now());
      }
      return next(input);
    },
    handleSignal(input, next) {
      tell('signal', input.signalName, input.headers);
      return next(input);
    },
    handleUpdate(input, next) {
      tell('update', input.name, input.headers);
      return next(input);
    },
  };
  const outbound: WorkflowOutboundCallsInterceptor = {
    scheduleActivity: (input, next) => next(carried(input)),
    scheduleLocalActivity: (input, next) => next(carried(input)),
    startChildWorkflowExecution: (input, next) => next(carried(input)),
    continueAsNew: (input, next) => next(carried(input)),
  };
  return { inbound: [inbound], outbound: [outbound] };
};
