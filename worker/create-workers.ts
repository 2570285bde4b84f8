// Creates the workers of a process: one per task queue, over one connection.
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { GatewayActivities } from '../activities/index.js';
import { TASK_QUEUES, type TaskQueue } from '../contract/temporal/task-queues.js';
import type { WorkerBuild } from '../contract/temporal/worker-versions.js';
import { TRACED_WORKFLOW_BUNDLE, WORKFLOW_BUNDLE } from './bundle-path.js';
import { failpointInterceptors } from './failpoints.js';
import { tracedActivities, traceSinks } from './traced.js';

/**
 * Maximum of concurrent deliveries. A delivery waits up to 10 s for a receiver that does not answer. With a small
 * maximum, one such receiver would delay all other webhooks.
 */
const DELIVERIES_AT_ONCE = 1_000;

export interface WorkersConfig {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly taskQueues: readonly TaskQueue[];
  readonly cachedWorkflows: number;
  /** The build of these workers; undefined: workflows are not pinned to builds. */
  readonly build: WorkerBuild | undefined;
  /** Adds the tracing interceptors and headers. */
  readonly isTraced: boolean;
}

/** Creates the workers, ready to `run()`. Assigns workflows and activities to the task queues. */
export async function createWorkers(config: WorkersConfig, activities: GatewayActivities): Promise<Worker[]> {
  const { connection, namespace, cachedWorkflows: maxCachedWorkflows, build } = config;
  const workflowBundle = { codePath: config.isTraced ? TRACED_WORKFLOW_BUNDLE : WORKFLOW_BUNDLE };
  const byQueue: Record<TaskQueue, Partial<WorkerOptions>> = {
    [TASK_QUEUES.payments]: {
      workflowBundle,
      activities: activities.payments,
      maxCachedWorkflows,
      reuseV8Context: true,
    },
    [TASK_QUEUES.rules]: { activities: activities.rules },
    [TASK_QUEUES.webhooks]: {
      workflowBundle,
      activities: activities.webhooks,
      maxCachedWorkflows: Math.ceil(maxCachedWorkflows / 4),
      reuseV8Context: true,
      maxConcurrentActivityTaskExecutions: DELIVERIES_AT_ONCE,
    },
  };
  // The rules queue has no workflows but is versioned too: the activities of a pinned workflow run on its build.
  const versioning: Pick<WorkerOptions, 'workerDeploymentOptions'> =
    build === undefined
      ? {}
      : { workerDeploymentOptions: { version: build, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' } };
  const create = (taskQueue: TaskQueue) =>
    Worker.create({
      connection,
      namespace,
      taskQueue,
      shutdownGraceTime: '10s',
      shutdownForceTime: '15s',
      interceptors: { activity: [...(config.isTraced ? [tracedActivities] : []), ...failpointInterceptors()] },
      ...(config.isTraced ? { sinks: traceSinks } : {}),
      ...versioning,
      ...byQueue[taskQueue],
    });
  return Promise.all(config.taskQueues.map(create));
}
