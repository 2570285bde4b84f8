// Failpoints before and after every activity, local activities included.
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { areFailpointsOpen, failpoint } from '../platform/failpoints/failpoints.js';

/** Empty unless failpoints are enabled. */
export function failpointInterceptors(): ActivityInterceptorsFactory[] {
  if (!areFailpointsOpen()) return [];
  return [
    (context) => ({
      inbound: {
        async execute(input, next) {
          const { activityType, workflowExecution } = context.info;
          const subject = workflowExecution?.workflowId ?? null;
          await failpoint(`activity.${activityType}.before`, subject);
          const result = await next(input);
          await failpoint(`activity.${activityType}.after`, subject);
          return result;
        },
      },
    }),
  ];
}
