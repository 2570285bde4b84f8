// Temporal for workflow tests: the time-skipping server, and workers that run the real workflow code over given activities.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowClient } from '@temporalio/client';
import { SearchAttributeType } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, makeTelemetryFilterString, Runtime, Worker, type WorkerOptions, type WorkflowBundle } from '@temporalio/worker';
import type { GatewayActivities } from '../../activities/index.js';
import { projectRoot } from '../../config/project-root.js';
import { TASK_QUEUES, type TaskQueue } from '../../contract/temporal/task-queues.js';
import { SEARCH_ATTRIBUTES } from '../../contract/temporal/search-attributes.js';
import { WORKFLOW_BUNDLE } from '../../worker/bundle-path.js';

/** A time-skipping server with the gateway's workers. Time stands (almost) still except in `sleep`. */
export interface TimeSkippingTemporal {
  /** A plain client: awaiting a result with it never skips time. */
  readonly client: WorkflowClient;
  /** The server's address, for what the client does not offer. */
  readonly environment: TestWorkflowEnvironment;
  /** Skips time; everything that falls due meanwhile happens. */
  sleep(milliseconds: number): Promise<void>;
  nowMs(): Promise<number>;
  /** Stops the workers and starts new ones, which know nothing of any workflow. */
  restartWorkers(tuning?: WorkerTuning): Promise<void>;
  close(): Promise<void>;
}

export type WorkerTuning = Pick<WorkerOptions, 'maxCachedWorkflows' | 'dataConverter'>;

/** Starts the server and one worker for each task queue but the `without` ones. */
export async function startTimeSkippingTemporal(
  activities: GatewayActivities,
  without: readonly TaskQueue[] = [],
  tuning: WorkerTuning = {},
): Promise<TimeSkippingTemporal> {
  installQuietRuntime();
  const environment = await startServer();
  try {
    await registerSearchAttributes(environment);
    let workers = await startWorkers(environment, activities, without, tuning);
    return {
      client: new WorkflowClient({ connection: environment.connection }),
      environment,
      sleep: (milliseconds) => environment.sleep(milliseconds),
      nowMs: () => environment.currentTimeMs(),
      restartWorkers: async (changed = {}) => {
        await workers.stop();
        workers = await startWorkers(environment, activities, without, { ...tuning, ...changed });
      },
      close: async () => {
        await workers.stop();
        await environment.teardown();
      },
    };
  } catch (error) {
    await environment.teardown();
    throw error;
  }
}

/** The SDK gives the server five seconds, which a machine that is busy with other things can need for a JVM alone. */
async function startServer(triesLeft = 8): Promise<TestWorkflowEnvironment> {
  try {
    return await TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path: testServerPath() } } });
  } catch (error) {
    if (triesLeft === 0) throw error;
    return startServer(triesLeft - 1);
  }
}

// The numbers of temporal.api.enums.v1.IndexedValueType.
const INDEXED_VALUE_TYPES: Record<SearchAttributeType, number> = {
  [SearchAttributeType.TEXT]: 1,
  [SearchAttributeType.KEYWORD]: 2,
  [SearchAttributeType.INT]: 3,
  [SearchAttributeType.DOUBLE]: 4,
  [SearchAttributeType.BOOL]: 5,
  [SearchAttributeType.DATETIME]: 6,
  [SearchAttributeType.KEYWORD_LIST]: 7,
};

/** This server cannot list what is registered, so all are added at once. */
async function registerSearchAttributes({ connection }: TestWorkflowEnvironment): Promise<void> {
  const searchAttributes = Object.fromEntries(Object.values(SEARCH_ATTRIBUTES).map(({ name, type }) => [name, INDEXED_VALUE_TYPES[type]]));
  await connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes });
}

async function startWorkers(environment: TestWorkflowEnvironment, activities: GatewayActivities, without: readonly TaskQueue[], tuning: WorkerTuning) {
  const workflowBundle = await workflowCode();
  const workflowOptions = { workflowBundle, reuseV8Context: true, maxCachedWorkflows: 500, ...tuning };
  const byQueue: Record<TaskQueue, Partial<WorkerOptions>> = {
    [TASK_QUEUES.payments]: { ...workflowOptions, activities: activities.payments },
    [TASK_QUEUES.rules]: { activities: activities.rules },
    [TASK_QUEUES.webhooks]: { ...workflowOptions, activities: activities.webhooks },
  };
  const queues = Object.values(TASK_QUEUES).filter((queue) => !without.includes(queue));
  const create = (taskQueue: TaskQueue) =>
    Worker.create({ connection: environment.nativeConnection, namespace: 'default', taskQueue, shutdownForceTime: '2s', ...byQueue[taskQueue] });
  const workers = await Promise.all(queues.map(create));
  const running = Promise.all(workers.map((worker) => worker.run()));
  // A worker that dies makes the tests fail by time; its own message says why.
  running.catch((error: unknown) => console.error('a worker died:', error));
  return {
    async stop(): Promise<void> {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
    },
  };
}

let bundle: Promise<WorkflowBundle> | undefined;

/** The prebuilt bundle that is released, or, where the tests run from source, one made of the sources. */
export function workflowCode(): Promise<WorkflowBundle | { codePath: string }> {
  const runsCompiled = import.meta.url.endsWith('.js') && existsSync(WORKFLOW_BUNDLE);
  if (runsCompiled) return Promise.resolve({ codePath: WORKFLOW_BUNDLE });
  bundle ??= bundleWorkflowCode({ workflowsPath: join(projectRoot(), 'workflows', 'index.ts'), logger: new DefaultLogger('ERROR') });
  return bundle;
}

let isInstalled = false;

/** Failing activities are what these tests are about: they are no news. */
export function installQuietRuntime(): void {
  if (isInstalled) return;
  isInstalled = true;
  const filter = makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' });
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [], telemetryOptions: { logging: { filter, console: {} } } });
}

function testServerPath(): string {
  const path = process.env['TEST_TEMPORAL_TEST_SERVER'];
  if (!path) throw new Error('TEST_TEMPORAL_TEST_SERVER is not set: run the tests by `npm test`, or see `npm test -- --serve`.');
  return path;
}
