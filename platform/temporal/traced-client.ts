// Tracing of a process's calls to workflows: a span around each call, whose trace the call carries.
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { Headers } from '@temporalio/common';
import { headersOf } from '../../contract/temporal/tracing.js';
import { activeTrace, inSpan } from '../telemetry/spans.js';

/** The interceptor for the workflow client of a traced process. */
export const tracedCalls: WorkflowClientInterceptor = {
  startWithDetails: (input, next) =>
    traced(`start ${input.workflowType}`, input.options.workflowId, (headers) =>
      next({ ...input, headers: { ...input.headers, ...headers } }),
    ),
  startUpdate: (input, next) =>
    traced(`update ${input.updateName}`, input.workflowExecution.workflowId, (headers) =>
      next({ ...input, headers: { ...input.headers, ...headers } }),
    ),
  startUpdateWithStart: (input, next) =>
    traced(`update-with-start ${input.updateName}`, input.workflowStartOptions.workflowId, (headers) =>
      next({
        ...input,
        workflowStartHeaders: { ...input.workflowStartHeaders, ...headers },
        updateHeaders: { ...input.updateHeaders, ...headers },
      }),
    ),
  signalWithStart: (input, next) =>
    traced(`signal-with-start ${input.signalName}`, input.options.workflowId, (headers) =>
      next({ ...input, headers: { ...input.headers, ...headers } }),
    ),
  // A query writes no history, so it carries no trace.
  query: (input, next) => traced(`query ${input.queryType}`, input.workflowExecution.workflowId, () => next(input)),
};

function traced<T>(name: string, workflowId: string, call: (headers: Headers) => Promise<T>): Promise<T> {
  return inSpan({ name, kind: 'client', attributes: { 'gateway.object_id': workflowId } }, () =>
    call(headersOf(activeTrace())),
  );
}
