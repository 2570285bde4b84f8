// How long a workflow's code may run without a break.
import type { WorkerOptions } from '@temporalio/worker';

/**
 * For one task of a workflow, in the thread that all workflows of a worker share. By the clock: Node cannot limit the
 * processor time of a thread. A task takes a few milliseconds, and an honest one that a stopped machine made late is
 * repeated in the suspects' thread, which nothing else occupies.
 */
const WORKFLOW_CODE_LIMIT_MS = 1_000;
/** For one task of a workflow whose earlier task was ended, in the suspects' thread. */
export const SUSPECT_CODE_LIMIT_MS = 2_000;

/** Says why such a task failed. */
export const CODE_LIMIT_MESSAGE = 'the code of the workflow did not yield in time';

/** The SDK reads the option and does not declare it. */
export const WORKFLOW_CODE_LIMIT = { isolateExecutionTimeout: WORKFLOW_CODE_LIMIT_MS } as Pick<WorkerOptions, never>;
