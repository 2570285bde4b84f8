// The worker process: runs the workflows and activities of the configured task queues.
import { Client } from '@temporalio/client';
import { NativeConnection, Runtime, type Worker } from '@temporalio/worker';
import { type Logger, pino } from 'pino';
import { type ActivityDependencies, createActivities } from '../activities/index.js';
import { createEgressAgent } from '../activities/webhooks/egress.js';
import { ConfigurationError } from '../platform/config/environment.js';
import { readWorkerConfig } from '../platform/config/worker.js';
import {
  BATCH_CONNECTION_MS,
  BATCH_STATEMENT_MS,
  providerQueueOf,
  STEP_CONNECTION_MS,
  STEP_STATEMENT_MS,
  TASK_QUEUES,
} from '../contract/temporal/workers.js';
import type { AccountName } from '../domain/provider-accounts.js';
import { addressing, DATA_CONVERTER } from '../platform/temporal/connection.js';
import { tracedCalls } from '../platform/temporal/traced-client.js';
import { createRulesEngine } from '../activities/rules.js';
import { createProviders } from '../providers/index.js';
import { createDatabase, type Database, poolUsage, watchRole } from '../store/database.js';
import { DatabaseClock } from '../store/database-clock.js';
import { openKeys } from '../store/sealing/open-keys.js';
import { keepNotingKeyUse } from '../store/sealing/key-use.js';
import { Sealer } from '../store/sealing/sealer.js';
import { count, exposition, setGauge, showPool } from '../platform/telemetry/instruments.js';
import { startInternalServer } from '../platform/telemetry/internal-server.js';
import { type ProviderExchange, storeExchanges } from '../store/payments/provider-exchanges.js';
import { BatchedLog } from '../platform/telemetry/batched-log.js';
import { traceHeaders, traceLogFields } from '../platform/telemetry/spans.js';
import { startTracing } from '../platform/telemetry/tracing.js';
import { keepSendingNotices } from './alert-notices.js';
import { keepSealing } from './audit-sealer.js';
import { createWorkers } from './create-workers.js';
import { deliveryStarts, historiesOf, listNotices, openWorkflows } from './temporal-calls.js';
import { reportFailingTasks } from './failing-tasks.js';
import { storedGauges } from './gauges.js';
import { keepEmptyingOutbox } from './outbox.js';
import { keepCheckingProgress } from './progress-check.js';
import { keepSchedule, SCHEDULES, sweepSchedules } from './schedules.js';
import { temporalLogger } from './temporal-logger.js';

const BATCH_POOL = { poolSize: 2, connectTimeoutMs: BATCH_CONNECTION_MS, statementTimeoutMs: BATCH_STATEMENT_MS };

async function main(): Promise<void> {
  const config = readWorkerConfig(process.env);
  const tracing = await startTracing(config.tracing);
  const logger = pino({
    level: config.LOG_LEVEL,
    base: { process: 'worker' },
    ...(tracing.isOn ? { mixin: traceLogFields } : {}),
  });
  installRuntime(config, logger);

  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    connectTimeoutMs: STEP_CONNECTION_MS,
    statementTimeoutMs: STEP_STATEMENT_MS,
  });
  watchRole(database, config.GATEWAY_ENVIRONMENT, (refusal) => {
    logger.fatal(refusal);
    process.exit(1);
  });
  // Daily work and proofs have a separate pool, so that their long statements take no connection from a payment.
  const batchDatabase = createDatabase({ url: config.DATABASE_URL, ...BATCH_POOL });
  const clock = new DatabaseClock(batchDatabase);
  const connection = await NativeConnection.connect(addressing(config.temporal));
  const keys = openKeys(config.keys, database);
  const client = new Client({
    dataConverter: DATA_CONVERTER,
    connection,
    namespace: config.temporal.namespace,
    ...(tracing.isOn ? { interceptors: { workflow: [tracedCalls] } } : {}),
  });
  const providers = openProviders(config);
  const exchanges = new BatchedLog<ProviderExchange>(
    'provider exchanges',
    (batch) => storeExchanges(batchDatabase, batch),
    logger,
  );
  const { activities, attempts } = openActivities(config, {
    providers,
    noteExchange: (exchange) => exchanges.add(exchange),
    database,
    batchDatabase,
    openWorkflows: openWorkflows(client, batchDatabase, new Sealer(keys)),
    histories: historiesOf(client),
    ...listNotices(client),
    startDelivery: deliveryStarts(client),
    keys,
    clock,
    logger,
  });
  const workers = await createWorkers(
    {
      connection,
      namespace: config.temporal.namespace,
      slots: config,
      build: buildOf(config),
      isTraced: tracing.isOn,
    },
    activities,
  );
  const health = await startHealth(config, workers, database, clock);
  stopOnSignals(workers);

  // Scheduled workflows run on the payments queue, so its workers create the schedules.
  const sweeps = sweepSchedules(providers.names.filter((name) => servesProvider(config, name)).map(providers));
  const schedules = [...(servesPayments(config) ? SCHEDULES : []), ...sweeps].map((schedule) =>
    keepSchedule(client, schedule, logger),
  );

  const sealing = config.sealing === null ? null : keepSealing(batchDatabase, config.sealing, logger);
  const outbox = servesWebhooks(config) ? keepEmptyingOutbox({ database, batchDatabase }, attempts, logger) : null;
  const notices = servesWebhooks(config) ? keepSendingNotices({ database, logger, ...noticeSending(config) }) : null;
  const progress = servesPayments(config)
    ? await keepCheckingProgress({ client, database: batchDatabase, logger })
    : null;
  const stopReporting = reportFailingTasks({ client, database: batchDatabase, logger });
  const keyUse = keepNotingKeyUse(database, keys);
  logger.info({ taskQueues: config.WORKER_TASK_QUEUES, build: config.WORKER_BUILD_ID ?? null }, 'worker started');
  await Promise.all(workers.map((worker) => worker.run()));
  await Promise.all([outbox?.stop(), notices?.stop()]);
  await attempts.close();
  await exchanges.stop();
  await health.close();
  for (const schedule of schedules) schedule.stop();
  stopReporting();
  await progress?.stop();
  keyUse.stop();
  await sealing?.stop();
  await keys.close();
  await connection.close();
  await Promise.all([database.$disconnect(), batchDatabase.$disconnect()]);
  await tracing.stop();
  logger.info('worker stopped');
}

type WorkerConfig = ReturnType<typeof readWorkerConfig>;

function servesPayments(config: WorkerConfig): boolean {
  return config.WORKER_TASK_QUEUES.includes(TASK_QUEUES.payments);
}

function servesWebhooks(config: WorkerConfig): boolean {
  return config.WORKER_TASK_QUEUES.includes(TASK_QUEUES.webhooks);
}

function servesProvider(config: WorkerConfig, provider: AccountName): boolean {
  return config.WORKER_TASK_QUEUES.includes(providerQueueOf({ provider }));
}

function buildOf({ WORKER_BUILD_ID: buildId, WORKER_DEPLOYMENT_NAME: deploymentName }: WorkerConfig) {
  return buildId === undefined ? undefined : { deploymentName, buildId };
}

/** Sets up the Temporal SDK: its logger, and its metrics on a port of their own. */
function installRuntime(config: WorkerConfig, logger: Logger): void {
  const { WORKER_SDK_METRICS_PORT: port } = config;
  const prometheus = {
    bindAddress: `${config.WORKER_HEALTH_HOST}:${port}`,
    countersTotalSuffix: true,
    unitSuffix: true,
    useSecondsForDurations: true,
  };
  Runtime.install({
    logger: temporalLogger(logger),
    shutdownSignals: [],
    telemetryOptions: {
      // Otherwise the SDK's core writes its messages to standard output in another format than the log's lines.
      logging: { forward: {} },
      ...(port === undefined ? {} : { metrics: { prometheus } }),
    },
  });
}

function egressRulesOf(config: WorkerConfig) {
  return { environment: config.GATEWAY_ENVIRONMENT, sandboxNetworks: config.WEBHOOK_SANDBOX_NETWORKS };
}

/** Where alerts are sent on to, over connections of their own: operators' receivers do not hold them up. */
function noticeSending(config: WorkerConfig) {
  const rules = egressRulesOf(config);
  return { targets: config.alertTargets, rules, agent: createEgressAgent(rules) };
}

function openProviders(config: WorkerConfig) {
  return createProviders(config.providers, {
    ...(config.GATEWAY_ENVIRONMENT === 'sandbox' ? { traceHeaders } : {}),
    noteDrift: (provider, what) => count('gateway_provider_drift_total', { provider, what }),
  });
}

function openActivities(
  config: WorkerConfig,
  {
    keys,
    clock,
    ...opened
  }: Pick<
    ActivityDependencies,
    | 'database'
    | 'batchDatabase'
    | 'providers'
    | 'noteExchange'
    | 'openWorkflows'
    | 'histories'
    | 'notifyDeposit'
    | 'notifyWithdrawal'
    | 'startDelivery'
    | 'logger'
  > & {
    readonly keys: ReturnType<typeof openKeys>;
    readonly clock: DatabaseClock;
  },
): ReturnType<typeof createActivities> {
  const egressRules = egressRulesOf(config);
  const sealer = new Sealer(keys);
  return createActivities({
    ...opened,
    sealer,
    sealWitness: config.sealing,
    webhookAgent: createEgressAgent(egressRules),
    egressRules,
    environment: config.GATEWAY_ENVIRONMENT,
    rules: config.WORKER_TASK_QUEUES.includes(TASK_QUEUES.rules)
      ? createRulesEngine({ database: opened.database, sealer })
      : null,
    servesWebhooks: servesWebhooks(config),
    clock: clock.nowMs,
  });
}

function startHealth(config: WorkerConfig, workers: readonly Worker[], database: Database, clock: DatabaseClock) {
  // All workers see the same stored payments. Only those of the payments queue export their gauges.
  const refreshStored = servesPayments(config) ? storedGauges(database, Date.now) : () => Promise.resolve();
  return startInternalServer({
    host: config.WORKER_HEALTH_HOST,
    port: config.WORKER_HEALTH_PORT,
    isReady: () => Promise.resolve(workers.every((worker) => worker.getState() === 'RUNNING')),
    metrics: exposition('worker', () => {
      showPool(poolUsage(database));
      if (clock.aheadMs !== null) setGauge('gateway_clock_ahead_seconds', {}, clock.aheadMs / 1_000);
      return refreshStored();
    }),
  });
}

function stopOnSignals(workers: readonly Worker[]): void {
  const shutdown = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  process.on('SIGTERM', shutdown);
  process.on('SIGINT', shutdown);
}

function explain(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`worker: ${explain(error)}\n`);
  process.exit(1);
});
