// The ingress process: takes the providers' callbacks on a port of its own. It holds what proves a callback and nothing
// that pays; the api holds neither. Shuts down cleanly on a signal.
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowClient } from '@temporalio/client';
import { pino } from 'pino';
import { type IngressConfig, readIngressConfig } from '../platform/config/ingress.js';
import { openFailpoints } from '../platform/failpoints/failpoints.js';
import { endOnSignal, failToStart } from '../platform/http/ending.js';
import { type HealthChecks, missingOf, readiness } from '../platform/http/readiness.js';
import { startServer } from '../platform/http/server.js';
import { exposition, showPool } from '../platform/telemetry/instruments.js';
import { type InternalServer, startInternalServer } from '../platform/telemetry/internal-server.js';
import { traceLogFields } from '../platform/telemetry/spans.js';
import { startTracing } from '../platform/telemetry/tracing.js';
import { openTemporal } from '../platform/temporal/connection.js';
import { DEFAULT_DEADLINES } from '../platform/temporal/deadlines.js';
import { tracedCalls } from '../platform/temporal/traced-client.js';
import { createCallbackReaders } from '../providers/pix-api/index.js';
import { createDatabase, type Database, poolUsage } from '../store/database.js';
import { keepNotingKeyUse } from '../store/sealing/key-use.js';
import { openKeys } from '../store/sealing/open-keys.js';
import { Sealer } from '../store/sealing/sealer.js';
import { CALLBACK_LIMIT_BYTES, createIngress, refusalOf } from './app.js';
import { PassedOn } from './passed-on.js';

async function main(): Promise<void> {
  const config = readIngressConfig(process.env);
  openFailpoints(config.GATEWAY_FAILPOINTS_URL);
  const tracing = await startTracing(config.tracing);
  const logger = pino({
    level: config.LOG_LEVEL,
    base: { process: 'ingress' },
    ...(tracing.isOn ? { mixin: traceLogFields } : {}),
  });
  const services = connect(config, tracing.isOn);
  const { database, keys, connection } = services;
  let ending = false;
  const checks = healthChecks(services, () => ending);
  const passedOn = new PassedOn(database, logger);
  const app = createApp(config, { ...services, passedOn }, readiness(checks, Date.now, logger), logger);
  const server = await startServer(app, {
    host: config.INGRESS_HOST,
    port: config.INGRESS_PORT,
    bodyLimitBytes: CALLBACK_LIMIT_BYTES,
    refusalOf,
  });
  const internal = await startInternal(config, database, checks);
  const keyUse = keepNotingKeyUse(database, keys);
  logger.info({ port: server.port, environment: config.GATEWAY_ENVIRONMENT }, 'ingress listening');

  endOnSignal(async () => {
    ending = true;
    server.drain();
    await sleep(config.INGRESS_DRAIN_SECONDS * 1_000);
    keyUse.stop();
    await server.close();
    await passedOn.flush();
    await internal?.close();
    await Promise.all([connection.close(), keys.close()]);
    await database.$disconnect();
    await tracing.stop();
    logger.info('ingress stopped');
  });
}

type Services = ReturnType<typeof connect>;

/** Clients of Postgres, Temporal and the keys. All connect lazily: the process starts and answers 503 while one is down. */
function connect(config: IngressConfig, isTracing: boolean) {
  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    connectTimeoutMs: 2_000,
    statementTimeoutMs: 5_000,
  });
  const connection = openTemporal(config.temporal);
  const temporal = new WorkflowClient({
    connection,
    namespace: config.temporal.namespace,
    ...(isTracing ? { interceptors: [tracedCalls] } : {}),
  });
  return { database, connection, temporal, keys: openKeys(config.keys, database) };
}

function healthChecks({ database, connection, keys }: Services, isEnding: () => boolean): HealthChecks {
  return {
    serving: () => (isEnding() ? Promise.reject(new Error('ending')) : Promise.resolve()),
    postgres: () => database.$queryRaw`SELECT 1`,
    keys: () => keys.ready(),
    temporal: () => connection.withDeadline(Date.now() + 1_000, () => connection.workflowService.getSystemInfo({})),
  };
}

function createApp(
  config: IngressConfig,
  { database, temporal, keys, passedOn }: Services & { readonly passedOn: PassedOn },
  isReady: () => Promise<boolean>,
  logger: pino.Logger,
) {
  return createIngress({
    database,
    temporal,
    sealer: new Sealer(keys),
    deadlines: DEFAULT_DEADLINES,
    clock: () => new Date(),
    logger,
    readers: createCallbackReaders(config.callbacks),
    continuesTraces: config.GATEWAY_ENVIRONMENT === 'sandbox',
    isReady,
    passedOn,
  });
}

/** Metrics, liveness and readiness, when a port is configured for them. */
async function startInternal(
  { INGRESS_METRICS_HOST: host, INGRESS_METRICS_PORT: port }: IngressConfig,
  database: Database,
  checks: HealthChecks,
): Promise<InternalServer | undefined> {
  if (port === undefined) return undefined;
  const metrics = exposition('ingress', async () => showPool(poolUsage(database)));
  return startInternalServer({ host, port, isReady: async () => (await missingOf(checks)).length === 0, metrics });
}

main().catch((error: unknown) => failToStart('ingress', 'INGRESS_PORT', error));
