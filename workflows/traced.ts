// Interceptors of the traced workflow bundle: pass the trace of a run to everything it starts. They never await, draw
// random numbers or set timers, so a history replays with and without them.
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
  // Calls carry the trace of the run, not of the message that caused them: all messages pass through the inbox.
  let own: TraceContext | null = null;
  const carried = <Input extends { readonly headers: ReturnType<typeof headersOf> }>(input: Input): Input =>
    own === null ? input : { ...input, headers: { ...input.headers, ...headersOf(own) } };
  const report = (kind: 'signal' | 'update', name: string, headers: ReturnType<typeof headersOf>) => {
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
      report('signal', input.signalName, input.headers);
      return next(input);
    },
    handleUpdate(input, next) {
      report('update', input.name, input.headers);
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
