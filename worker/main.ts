// The worker process: runs workflows and activities of the task queues it is configured for.
import { Client } from '@temporalio/client';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import { createActivities } from '../activities/index.js';
import { createEgressAgent } from '../activities/webhooks/egress.js';
import { ConfigurationError } from '../platform/config/environment.js';
import { readWorkerConfig } from '../platform/config/worker.js';
import { TASK_QUEUES } from '../contract/temporal/task-queues.js';
import { openFailpoints } from '../platform/failpoints/failpoints.js';
import { createProviders } from '../providers/pix-api/index.js';
import { createDatabase, poolUsage } from '../store/database.js';
import { openKeys } from '../store/sealing/open-keys.js';
import { keepNotingKeyUse } from '../store/sealing/key-use.js';
import { Sealer } from '../store/sealing/sealer.js';
import { exposition, showPool } from '../platform/telemetry/instruments.js';
import { startInternalServer } from '../platform/telemetry/internal-server.js';
import { traceHeaders, traceLogFields } from '../platform/telemetry/spans.js';
import { startTracing } from '../platform/telemetry/tracing.js';
import { createWorkers } from './create-workers.js';
import { storedGauges } from './gauges.js';
import { keepSchedule, SCHEDULES } from './schedules.js';
import { temporalLogger } from './temporal-logger.js';

async function main(): Promise<void> {
  const config = readWorkerConfig(process.env);
  openFailpoints(config.GATEWAY_FAILPOINTS_URL);
  const tracing = await startTracing(config.tracing);
  const logger = pino({
    level: config.LOG_LEVEL,
    base: { process: 'worker' },
    ...(tracing.isOn ? { mixin: traceLogFields } : {}),
  });
  const { WORKER_SDK_METRICS_PORT: sdkMetricsPort } = config;
  Runtime.install({
    logger: temporalLogger(logger),
    shutdownSignals: [],
    telemetryOptions:
      sdkMetricsPort === undefined
        ? {}
        : {
            metrics: {
              prometheus: {
                bindAddress: `${config.WORKER_HEALTH_HOST}:${sdkMetricsPort}`,
                countersTotalSuffix: true,
                unitSuffix: true,
                useSecondsForDurations: true,
              },
            },
          },
  });

  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    connectTimeoutMs: 3_000,
    statementTimeoutMs: 8_000,
  });
  const connection = await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS });
  const keys = openKeys(config.keys, database);
  const egressRules = { environment: config.GATEWAY_ENVIRONMENT, sandboxNetworks: config.WEBHOOK_SANDBOX_NETWORKS };
  const activities = createActivities({
    database,
    sealer: new Sealer(keys),
    providers: createProviders(config.providers, config.GATEWAY_ENVIRONMENT === 'sandbox' ? { traceHeaders } : {}),
    webhookAgent: createEgressAgent(egressRules),
    egressRules,
    environment: config.GATEWAY_ENVIRONMENT,
    logger,
  });
  const build =
    config.WORKER_BUILD_ID === undefined
      ? undefined
      : { deploymentName: config.WORKER_DEPLOYMENT_NAME, buildId: config.WORKER_BUILD_ID };
  const workers = await createWorkers(
    {
      connection,
      namespace: config.TEMPORAL_NAMESPACE,
      taskQueues: config.WORKER_TASK_QUEUES,
      cachedWorkflows: config.WORKER_CACHED_WORKFLOWS,
      build,
      isTraced: tracing.isOn,
    },
    activities,
  );

  // The stored payments are the same for every worker; those who move them show them.
  const servesPayments = config.WORKER_TASK_QUEUES.includes(TASK_QUEUES.payments);
  const refreshStored = servesPayments ? storedGauges(database, Date.now) : () => Promise.resolve();
  const health = await startInternalServer({
    host: config.WORKER_HEALTH_HOST,
    port: config.WORKER_HEALTH_PORT,
    isReady: () => Promise.resolve(workers.every((worker) => worker.getState() === 'RUNNING')),
    metrics: exposition('worker', () => {
      showPool(poolUsage(database));
      return refreshStored();
    }),
  });

  const shutdown = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  process.on('SIGTERM', shutdown);
  process.on('SIGINT', shutdown);

  // Scheduled work runs on the payments queue: whoever serves it sees to the schedules.
  const client = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
  const schedules = servesPayments ? SCHEDULES.map((schedule) => keepSchedule(client, schedule, logger)) : [];

  const keyUse = keepNotingKeyUse(database, keys);
  logger.info({ taskQueues: config.WORKER_TASK_QUEUES, build: config.WORKER_BUILD_ID ?? null }, 'worker started');
  await Promise.all(workers.map((worker) => worker.run()));
  await health.close();
  for (const schedule of schedules) schedule.stop();
  keyUse.stop();
  await keys.close();
  await connection.close();
  await database.$disconnect();
  await tracing.stop();
  logger.info('worker stopped');
}

function explain(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`worker: ${explain(error)}\n`);
  process.exit(1);
});
