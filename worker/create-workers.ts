// Creates the workers of a process: one per task queue, over one connection.
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { GatewayActivities } from '../activities/index.js';
import {
  PROVIDER_QUEUES,
  STICKY_TASK_MS,
  TASK_QUEUES,
  type TaskQueue,
  type WorkerBuild,
} from '../contract/temporal/workers.js';
import type { SlotName } from '../domain/provider-accounts.js';
import { WEBHOOKS_CACHE_PART, type WorkerSlots } from '../platform/config/worker-slots.js';
import { DATA_CONVERTER } from '../platform/temporal/connection.js';
import { TRACED_WORKFLOW_BUNDLE, WORKFLOW_BUNDLE } from './bundle-path.js';
import { noteDifferences, separateSuspects } from './suspects-thread.js';
import { tracedActivities, traceSinks } from './traced.js';
import { WORKFLOW_CODE_LIMIT } from './workflow-code-limit.js';

/** A provider's queue gets a few calls per second: fewer polls than slots keep an idle worker quiet. */
const PROVIDER_POLLS = 4;

export interface WorkersConfig {
  readonly connection: NativeConnection;
  readonly namespace: string;
  /** The task queues, and how many tasks of each run at once. */
  readonly slots: WorkerSlots;
  /** The build of these workers; undefined: workflows are not pinned to builds. */
  readonly build: WorkerBuild | undefined;
  /** Adds the tracing interceptors and headers. */
  readonly isTraced: boolean;
}

/** Creates the workers, ready to `run()`. Assigns workflows and activities to the task queues. */
export async function createWorkers(config: WorkersConfig, activities: GatewayActivities): Promise<Worker[]> {
  separateSuspects();
  const { connection, namespace, build, slots } = config;
  const byQueue = queueOptions(slots, activities, config.isTraced ? TRACED_WORKFLOW_BUNDLE : WORKFLOW_BUNDLE);
  // Queues without workflows are versioned too: the activities of a pinned workflow run on its build.
  const versioning: Pick<WorkerOptions, 'workerDeploymentOptions'> =
    build === undefined
      ? {}
      : { workerDeploymentOptions: { version: build, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' } };
  const create = (taskQueue: TaskQueue) =>
    Worker.create({
      connection,
      namespace,
      taskQueue,
      dataConverter: DATA_CONVERTER,
      shutdownGraceTime: '10s',
      shutdownForceTime: '15s',
      interceptors: { activity: config.isTraced ? [tracedActivities] : [] },
      ...(config.isTraced ? { sinks: traceSinks } : {}),
      ...versioning,
      ...byQueue[taskQueue],
    });
  const workers = await Promise.all(slots.WORKER_TASK_QUEUES.map(create));
  workers.forEach(noteDifferences);
  return workers;
}

/** What each queue's worker runs, and how many tasks at once. */
function queueOptions(
  slots: WorkerSlots,
  activities: GatewayActivities,
  codePath: string,
): Record<TaskQueue, Partial<WorkerOptions>> {
  const { WORKER_STEP_SLOTS: steps, WORKER_CACHED_WORKFLOWS: cached } = slots;
  const workflows: Partial<WorkerOptions> = {
    workflowBundle: { codePath },
    reuseV8Context: true,
    ...WORKFLOW_CODE_LIMIT,
    maxConcurrentWorkflowTaskExecutions: steps,
    maxConcurrentLocalActivityExecutions: steps,
    stickyQueueScheduleToStartTimeout: STICKY_TASK_MS,
  };
  const provider: Partial<WorkerOptions> = {
    activities: activities.providers,
    maxConcurrentActivityTaskExecutions: slots.WORKER_PROVIDER_SLOTS,
    maxConcurrentActivityTaskPolls: Math.min(PROVIDER_POLLS, slots.WORKER_PROVIDER_SLOTS),
    maxTaskQueueActivitiesPerSecond: slots.WORKER_PROVIDER_CALLS_PER_SECOND,
  };
  const byProvider = Object.fromEntries(Object.values(PROVIDER_QUEUES).map((queue) => [queue, provider])) as Record<
    (typeof PROVIDER_QUEUES)[SlotName],
    Partial<WorkerOptions>
  >;
  return {
    ...byProvider,
    [TASK_QUEUES.payments]: {
      ...workflows,
      activities: activities.payments,
      maxConcurrentActivityTaskExecutions: steps,
      maxCachedWorkflows: cached,
    },
    [TASK_QUEUES.rules]: {
      activities: activities.rules,
      maxConcurrentActivityTaskExecutions: slots.WORKER_RULES_SLOTS,
    },
    [TASK_QUEUES.webhooks]: {
      ...workflows,
      activities: activities.webhooks,
      maxConcurrentActivityTaskExecutions: slots.WORKER_DELIVERY_SLOTS,
      maxCachedWorkflows: Math.ceil(cached * WEBHOOKS_CACHE_PART),
    },
  };
}
