// Temporal for tests: the time-skipping server or the dev server, and workers that run the real workflow code over
// given activities.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection, WorkflowClient } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import {
  bundleWorkflowCode,
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
  type WorkflowBundle,
} from '@temporalio/worker';
import type { GatewayActivities } from '../../activities/index.js';
import { DATA_CONVERTER } from '../../platform/temporal/connection.js';
import { INDEXED_VALUE_TYPES } from '../../platform/temporal/namespace.js';
import type { SlotName } from '../../domain/provider-accounts.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { ALL_TASK_QUEUES, PROVIDER_QUEUES, TASK_QUEUES, type TaskQueue } from '../../contract/temporal/workers.js';
import { SEARCH_ATTRIBUTES } from '../../contract/temporal/search-attributes.js';
import { TRACED_WORKFLOW_BUNDLE, WORKFLOW_BUNDLE } from '../../worker/bundle-path.js';
import { separateSuspects } from '../../worker/suspects-thread.js';
import { WORKFLOW_CODE_LIMIT } from '../../worker/workflow-code-limit.js';
import { testServers } from '../../lab/harness/stack.js';
import { createNamespace } from '../../lab/harness/temporal-namespace.js';
import { startTimeSkippingServer } from './time-skipping-server.js';

/** A Temporal server with the gateway's workers. */
export interface RunningTemporal {
  /** A plain client: awaiting a result with it never skips time. */
  readonly client: WorkflowClient;
  nowMs(): Promise<number>;
  close(): Promise<void>;
}

/** A time-skipping server. Time stands (almost) still except in `sleep`. */
export interface TimeSkippingTemporal extends RunningTemporal {
  /** The server's address, for what the client does not offer. */
  readonly environment: TestWorkflowEnvironment;
  /** Skips time; everything that falls due meanwhile happens. */
  sleep(milliseconds: number): Promise<void>;
}

/** A namespace of its own on the tests' dev server, where time is real. */
export interface RealTemporal extends RunningTemporal {
  /**
   * Stops the workers and starts new ones, which know nothing of any workflow. (The time-skipping server then skips no
   * more.)
   */
  restartWorkers(): Promise<void>;
}

export type WorkerTuning = Pick<WorkerOptions, 'maxCachedWorkflows'> & {
  /** After so many events a run continues in a new one. */
  readonly longHistoryEvents?: number;
};

/** Starts the server and one worker for each task queue. */
export async function startTimeSkippingTemporal(
  activities: GatewayActivities,
  tuning: WorkerTuning = {},
): Promise<TimeSkippingTemporal> {
  installQuietRuntime();
  const server = await startTimeSkippingServer(testServerPath());
  const { environment } = server;
  const sleeping = new Set<AbortController>();
  try {
    await registerSearchAttributes(environment);
    const workers = await startWorkers(
      { connection: environment.nativeConnection, namespace: 'default' },
      activities,
      tuning,
    );
    return {
      client: new WorkflowClient({ dataConverter: DATA_CONVERTER, connection: environment.connection }),
      environment,
      // One that is still going on when the server ends would be tried again, and fail in whatever test runs then.
      sleep: async (milliseconds) => {
        const sleep = new AbortController();
        sleeping.add(sleep);
        await environment.connection
          .withAbortSignal(sleep.signal, () => environment.sleep(milliseconds))
          .finally(() => sleeping.delete(sleep));
      },
      nowMs: () => environment.currentTimeMs(),
      close: async () => {
        for (const sleep of sleeping) sleep.abort();
        await workers.stop();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Starts the workers on the dev server of `npm test`. */
export async function startRealTemporal(
  activities: GatewayActivities,
  tuning: WorkerTuning = {},
): Promise<RealTemporal> {
  installQuietRuntime();
  const { temporalAddress: address } = testServers();
  const namespace = `test-${randomUUID()}`;
  await createNamespace(address, namespace);
  const connections = {
    client: await Connection.connect({ address }),
    worker: await NativeConnection.connect({ address }),
  };
  const start = () => startWorkers({ connection: connections.worker, namespace }, activities, tuning);
  let workers = await start();
  return {
    client: new WorkflowClient({ dataConverter: DATA_CONVERTER, connection: connections.client, namespace }),
    nowMs: async () => Date.now(),
    restartWorkers: async () => {
      await workers.stop();
      workers = await start();
    },
    close: async () => {
      await workers.stop();
      await connections.client.close();
      await connections.worker.close();
    },
  };
}

/** This server cannot list what is registered, so all are added at once. */
async function registerSearchAttributes({ connection }: TestWorkflowEnvironment): Promise<void> {
  const searchAttributes = Object.fromEntries(
    Object.values(SEARCH_ATTRIBUTES).map(({ name, type }) => [name, INDEXED_VALUE_TYPES[type]]),
  );
  await connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes });
}

async function startWorkers(
  place: Pick<WorkerOptions, 'connection' | 'namespace'>,
  activities: GatewayActivities,
  tuning: WorkerTuning,
) {
  separateSuspects();
  const { longHistoryEvents, ...cache } = tuning;
  const workflowBundle = longHistoryEvents === undefined ? await workflowCode() : await withRunsOf(longHistoryEvents);
  const workflowOptions = {
    workflowBundle,
    reuseV8Context: true,
    ...WORKFLOW_CODE_LIMIT,
    maxCachedWorkflows: 500,
    ...cache,
  };
  const byProvider = Object.fromEntries(
    Object.values(PROVIDER_QUEUES).map((queue) => [queue, { activities: activities.providers }]),
  ) as Record<(typeof PROVIDER_QUEUES)[SlotName], Partial<WorkerOptions>>;
  const byQueue: Record<TaskQueue, Partial<WorkerOptions>> = {
    ...byProvider,
    [TASK_QUEUES.payments]: { ...workflowOptions, activities: activities.payments },
    [TASK_QUEUES.rules]: { activities: activities.rules },
    [TASK_QUEUES.webhooks]: { ...workflowOptions, activities: activities.webhooks },
  };
  const create = (taskQueue: TaskQueue) =>
    Worker.create({
      ...place,
      taskQueue,
      dataConverter: DATA_CONVERTER,
      shutdownForceTime: '2s',
      ...byQueue[taskQueue],
    });
  const workers = await Promise.all(ALL_TASK_QUEUES.map(create));
  let isStopping = false;
  let death: unknown;
  const running = workers.map((worker) =>
    worker.run().catch((error: unknown) => {
      // A stop that drops work under way can end a worker with an error of the SDK. Nobody uses that worker any more.
      if (isStopping) return;
      death = error;
      // The tests that need the worker fail by time; this says why.
      console.error('a worker died:', error);
    }),
  );
  return {
    /** Rejects when a worker died before. */
    async stop(): Promise<void> {
      isStopping = true;
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.all(running);
      if (death !== undefined) throw death;
    },
  };
}

const bundles = new Map<string, Promise<WorkflowBundle>>();

/**
 * The prebuilt bundle that is released, or, where the tests run from source, one made of the sources. `isTraced`: the
 * one that carries traces.
 */
export function workflowCode(isTraced = false): Promise<WorkflowBundle | { codePath: string }> {
  const codePath = isTraced ? TRACED_WORKFLOW_BUNDLE : WORKFLOW_BUNDLE;
  const runsCompiled = import.meta.url.endsWith('.js') && existsSync(codePath);
  if (runsCompiled) return Promise.resolve({ codePath });
  const source = (name: string) => join(projectRoot(), 'workflows', name);
  const made =
    bundles.get(codePath) ??
    bundleWorkflowCode({
      workflowsPath: source('index.ts'),
      ...DATA_CONVERTER,
      workflowInterceptorModules: isTraced ? [source('traced.ts')] : [],
      logger: new DefaultLogger('ERROR'),
    });
  bundles.set(codePath, made);
  return made;
}

/**
 * The workflow code with runs that continue in a new one after so many events, so that a test need not wait for long.
 */
async function withRunsOf(longHistoryEvents: number): Promise<WorkflowBundle> {
  const bundle = await workflowCode();
  const code = 'code' in bundle ? bundle.code : await readFile(bundle.codePath, 'utf8');
  const parts = code.split(/(?<=const LONG_HISTORY_EVENTS = )[\d_]+(?=;)/);
  if (parts.length !== 2) throw new Error('the length of a long history is not where it was in the workflow code');
  return { code: parts.join(String(longHistoryEvents)) };
}

let isInstalled = false;

/** These tests make activities fail, so failures are not logged. */
export function installQuietRuntime(): void {
  if (isInstalled) return;
  isInstalled = true;
  const filter = makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' });
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    shutdownSignals: [],
    telemetryOptions: { logging: { filter, console: {} } },
  });
}

function testServerPath(): string {
  const path = process.env['TEST_TEMPORAL_TEST_SERVER'];
  if (!path)
    throw new Error('TEST_TEMPORAL_TEST_SERVER is not set: run the tests by `npm test`, or see `npm test -- --serve`.');
  return path;
}
