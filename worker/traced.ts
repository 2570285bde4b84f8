// Tracing of a worker: a span around each activity, and spans for the runs and messages of workflows.
import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors, InjectedSinks } from '@temporalio/worker';
import { traceIn, type TraceSinks } from '../contract/temporal/tracing.js';
import { spanIdOfRun, traceIdOfRun } from '../domain/trace-context.js';
import { inSpan, recordSpan } from '../platform/telemetry/spans.js';

/** A span per attempt, in the trace of its run. A run without a trace uses the trace id derived from its run id. */
export function tracedActivities({ info }: Context): ActivityInterceptors {
  const { activityType, attempt, workflowExecution } = info;
  const attributes = {
    'gateway.object_id': workflowExecution?.workflowId,
    'gateway.run_id': workflowExecution?.runId,
    'gateway.attempt': attempt,
  };
  return {
    inbound: {
      execute(input, next) {
        const parent = traceIn(input.headers);
        const place = parent === null ? { traceId: traceIdOfRun(workflowExecution?.runId ?? '') } : { parent };
        return inSpan({ name: `activity ${activityType}`, kind: 'internal', attributes, ...place }, () => next(input));
      },
    },
  };
}

export const traceSinks: InjectedSinks<TraceSinks> = {
  trace: {
    begun: {
      // Covers the wait for the first task only: the run may be open for days, and its calls have their own spans.
      fn: ({ workflowType, workflowId, runId, startTime }, caller, atMs) =>
        recordSpan({
          name: `workflow ${workflowType}`,
          kind: 'consumer',
          parent: caller,
          spanId: spanIdOfRun(runId),
          startMs: startTime.getTime(),
          endMs: Math.max(startTime.getTime(), atMs),
          attributes: { 'gateway.object_id': workflowId, 'gateway.run_id': runId },
        }),
    },
    taken: {
      // In the run's trace, so that a payment's trace contains its requests. A caller in another trace is linked.
      fn: ({ workflowId, runId }, kind, name, caller, own, atMs) => {
        const isSameTrace = own === null || own.traceId === caller.traceId;
        recordSpan({
          name: `${kind} ${name}`,
          kind: 'consumer',
          parent: isSameTrace ? caller : own,
          link: isSameTrace ? undefined : caller,
          startMs: atMs,
          endMs: atMs,
          attributes: { 'gateway.object_id': workflowId, 'gateway.run_id': runId },
        });
      },
    },
  },
};
