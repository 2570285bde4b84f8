// How long a workflow's code may run without a break.
import type { WorkerOptions } from '@temporalio/worker';

/**
 * Ends workflow code that loops. The SDK's own limit is 5 s by the clock, which a machine under load can take for one
 * task, and Node 20 may crash the process when it ends such code ("async hook stack has become corrupted",
 * nodejs/node#38503). The SDK reads the option and does not declare it.
 */
export const WORKFLOW_CODE_LIMIT = { isolateExecutionTimeout: '1m' } as Pick<WorkerOptions, never>;
