// The api process: the operators' API and the providers' ingress, each on its own port. Wires configuration, Postgres,
// Temporal, providers and handlers together and shuts down cleanly on a signal.
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowClient } from '@temporalio/client';
import { pino } from 'pino';
import { type ApiConfig, readApiConfig } from '../platform/config/api.js';
import { ConfigurationError } from '../platform/config/environment.js';
import { openApiYaml } from '../contract/http/openapi.js';
import { ROUTES } from '../contract/http/routes.js';
import { openFailpoints } from '../platform/failpoints/failpoints.js';
import { createCallbackReaders, createSteering, traitsOf } from '../providers/pix-api/index.js';
import { createDatabase, type Database, poolUsage } from '../store/database.js';
import { openKeys } from '../store/sealing/open-keys.js';
import { keepNotingKeyUse } from '../store/sealing/key-use.js';
import { Sealer } from '../store/sealing/sealer.js';
import { exposition, showPool } from '../platform/telemetry/instruments.js';
import { type InternalServer, startInternalServer } from '../platform/telemetry/internal-server.js';
import { traceHeaders, traceLogFields } from '../platform/telemetry/spans.js';
import { startTracing } from '../platform/telemetry/tracing.js';
import { createApp } from './app.js';
import { CALLBACK_LIMIT_BYTES, createIngress } from './ingress/server.js';
import { type HealthChecks, missingOf } from './middleware/health.js';
import { openTemporal } from '../platform/temporal/connection.js';
import { tracedCalls } from '../platform/temporal/traced-client.js';
import { createHandlers, DEFAULT_DEADLINES, playerLimits, READS } from './routes/index.js';
import { loadReferencePage } from './reference/files.js';
import { startServer } from './server.js';
import { startSweeper } from './sweeper.js';

async function main(): Promise<void> {
  const config = readApiConfig(process.env);
  openFailpoints(config.GATEWAY_FAILPOINTS_URL);
  const tracing = await startTracing(config.tracing);
  const logger = pino({
    level: config.LOG_LEVEL,
    base: { process: 'api' },
    ...(tracing.isOn ? { mixin: traceLogFields } : {}),
  });
  const services = connect(config, tracing.isOn);
  const { database, keys } = services;
  let ending = false;
  const checks = healthChecks(services, () => ending);
  const { app, ingressApp, closeSteering } = createApps(config, services, checks, logger);

  const docsUrl = config.GATEWAY_DOCS_URL;
  const api = await startServer(app, { host: config.API_HOST, port: config.API_PORT, docsUrl });
  const ingress = await startServer(ingressApp, {
    host: config.INGRESS_HOST,
    port: config.INGRESS_PORT,
    docsUrl,
    bodyLimitBytes: CALLBACK_LIMIT_BYTES,
  });
  const internal = await startInternal(config, database, checks);
  const sweeper = startSweeper(database, logger);
  const keyUse = keepNotingKeyUse(database, keys);
  logger.info({ port: api.port, ingressPort: ingress.port, environment: config.GATEWAY_ENVIRONMENT }, 'api listening');

  endOnSignal(async () => {
    ending = true;
    api.drain();
    ingress.drain();
    await sleep(config.API_DRAIN_SECONDS * 1_000);
    sweeper.stop();
    keyUse.stop();
    await Promise.all([api.close(), ingress.close()]);
    await internal?.close();
    await Promise.all([closeSteering(), services.connection.close(), keys.close()]);
    await Promise.all([database.$disconnect(), services.ingressDatabase.$disconnect()]);
    await tracing.stop();
    logger.info('api stopped');
  });
}

type Services = ReturnType<typeof connect>;

/** What callbacks may use: forged ones, however many, take no connection from an operator's request. */
const INGRESS_POOL_SIZE = 4;

/** Clients of Postgres, Temporal and the keys. All connect lazily: the api starts and answers 503 while one is down. */
function connect(config: ApiConfig, isTracing: boolean) {
  const pool = { url: config.DATABASE_URL, connectTimeoutMs: 2_000, statementTimeoutMs: 5_000 };
  const database = createDatabase({ ...pool, poolSize: config.DATABASE_POOL_SIZE });
  const ingressDatabase = createDatabase({ ...pool, poolSize: INGRESS_POOL_SIZE });
  const connection = openTemporal(config.temporal);
  const temporal = new WorkflowClient({
    connection,
    namespace: config.temporal.namespace,
    ...(isTracing ? { interceptors: [tracedCalls] } : {}),
  });
  return { database, ingressDatabase, connection, temporal, keys: openKeys(config.keys, database) };
}

function healthChecks({ database, connection, keys }: Services, isEnding: () => boolean): HealthChecks {
  return {
    serving: () => (isEnding() ? Promise.reject(new Error('ending')) : Promise.resolve()),
    postgres: () => database.$queryRaw`SELECT 1`,
    keys: () => keys.ready(),
    temporal: () => connection.withDeadline(Date.now() + 1_000, () => connection.workflowService.getSystemInfo({})),
  };
}

/** The operators' application and the providers' ingress. */
function createApps(
  config: ApiConfig,
  { database, ingressDatabase, temporal, keys }: Services,
  health: HealthChecks,
  logger: pino.Logger,
) {
  const environment = config.GATEWAY_ENVIRONMENT;
  const steering = environment === 'sandbox' ? createSteering(config.callbacks, { traceHeaders }) : null;
  const sealer = new Sealer(keys);
  const shared = { database, sealer, temporal, deadlines: DEFAULT_DEADLINES, clock: () => new Date(), logger };
  const openApi = openApiYaml(ROUTES, { environment });
  const app = createApp({
    environment,
    docsUrl: config.GATEWAY_DOCS_URL,
    routes: ROUTES,
    handlers: createHandlers({ ...shared, steering, providerTraits: traitsOf, openApi: () => openApi }),
    playerLimits: playerLimits(config.hourlyLimits),
    reads: READS,
    database,
    sealer,
    edge: edgeOf(config),
    health,
    reference: environment === 'sandbox' ? loadReferencePage() : undefined,
    nowMs: Date.now,
    log: logger,
  });
  const ingressApp = createIngress({
    ...shared,
    database: ingressDatabase,
    readers: createCallbackReaders(config.callbacks),
    continuesTraces: environment === 'sandbox',
  });
  return { app, ingressApp, closeSteering: async () => steering?.close() };
}

/** Metrics, liveness and readiness, when a port is configured for them. */
async function startInternal(
  { API_METRICS_HOST: host, API_METRICS_PORT: port }: ApiConfig,
  database: Database,
  checks: HealthChecks,
): Promise<InternalServer | undefined> {
  if (port === undefined) return undefined;
  const metrics = exposition('api', async () => showPool(poolUsage(database)));
  return startInternalServer({ host, port, isReady: async () => (await missingOf(checks)).length === 0, metrics });
}

function edgeOf({ TRUSTED_PROXIES, TRUSTED_PROXY_HEADER, TRUSTED_CERTIFICATE_HEADER }: ApiConfig) {
  if (TRUSTED_PROXY_HEADER === undefined) return undefined;
  return { proxies: TRUSTED_PROXIES, header: TRUSTED_PROXY_HEADER, operationHeader: TRUSTED_CERTIFICATE_HEADER };
}

/** The first signal shuts down gracefully, a second one at once. */
function endOnSignal(end: () => Promise<void>): void {
  let ending = false;
  const onSignal = () => {
    if (ending) process.exit(1);
    ending = true;
    end().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

function explain(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return 'a port is in use: stop the other process, or set API_PORT and INGRESS_PORT';
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`api: ${explain(error)}\n`);
  process.exit(1);
});
