// The api process: the operators' API. Wires configuration, Postgres, Temporal and handlers together and shuts down
// cleanly on a signal.
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { type ApiConfig, readApiConfig } from '../platform/config/api.js';
import { edgeIn } from '../platform/config/trusted-proxies.js';
import { openApiYaml } from '../contract/http/openapi.js';
import { ROUTES } from '../contract/http/routes.js';
import { endOnSignal, failToStart } from '../platform/http/ending.js';
import { type HealthChecks, connect, healthChecks, type Services, startInternal } from '../platform/http/services.js';
import { accountTraits } from '../providers/index.js';
import { createSteering } from '../providers/steering.js';
import { watchRole } from '../store/database.js';
import { keepNotingKeyUse } from '../store/sealing/key-use.js';
import { Sealer } from '../store/sealing/sealer.js';
import { traceHeaders, traceLogFields } from '../platform/telemetry/spans.js';
import { type LoggedCall, storeCalls } from '../store/requests/request-log.js';
import { BatchedLog } from '../platform/telemetry/batched-log.js';
import { startTracing } from '../platform/telemetry/tracing.js';
import { createApp, startServer } from './app.js';
import { createHandlers } from './routes/index.js';
import { DEFAULT_DEADLINES } from '../platform/temporal/calls.js';
import { playerLimits } from './routes/creation-checks.js';
import { READS } from './routes/reads.js';
import { loadReferencePage } from './reference/files.js';
import { builtSite } from './reference/site.js';
import { startSweeper } from './sweeper.js';

async function main(): Promise<void> {
  const config = readApiConfig(process.env);
  const tracing = await startTracing(config.tracing);
  const logger = pino({
    level: config.LOG_LEVEL,
    base: { process: 'api' },
    ...(tracing.isOn ? { mixin: traceLogFields } : {}),
  });
  const services = connect(config, tracing.isOn);
  const { database, keys } = services;
  watchRole(database, config.GATEWAY_ENVIRONMENT, (refusal) => {
    logger.fatal(refusal);
    process.exit(1);
  });
  let ending = false;
  const checks = healthChecks(services, () => ending);
  const calls = new BatchedLog<LoggedCall>('calls', (batch) => storeCalls(database, batch), logger);
  const { app, closeSteering } = createApplication(config, services, checks, calls, logger);

  const { API_HOST: host, API_PORT: port, GATEWAY_DOCS_URL: docsUrl } = config;
  const api = await startServer(app, { host, port, docsUrl });
  const internalPlace = { host: config.API_METRICS_HOST, port: config.API_METRICS_PORT };
  const internal = await startInternal('api', internalPlace, services, checks);
  const sweeper = startSweeper(database, logger);
  const keyUse = keepNotingKeyUse(database, keys);
  logger.info({ port: api.port, environment: config.GATEWAY_ENVIRONMENT }, 'api listening');

  endOnSignal(async () => {
    ending = true;
    api.drain();
    await sleep(config.API_DRAIN_SECONDS * 1_000);
    sweeper.stop();
    keyUse.stop();
    await api.close();
    await calls.stop();
    await internal?.close();
    await Promise.all([closeSteering(), services.connection.close(), keys.close()]);
    await database.$disconnect();
    await tracing.stop();
    logger.info('api stopped');
  });
}

/** The application, with its steering of the simulator in a sandbox. */
function createApplication(
  config: ApiConfig,
  { database, temporal, keys }: Services,
  health: HealthChecks,
  calls: BatchedLog<LoggedCall>,
  logger: pino.Logger,
) {
  const environment = config.GATEWAY_ENVIRONMENT;
  const steering = environment === 'sandbox' ? createSteering(config.steering, { traceHeaders }) : null;
  const sealer = new Sealer(keys);
  const shared = { database, sealer, temporal, deadlines: DEFAULT_DEADLINES, clock: () => new Date(), logger };
  const app = createApp({
    environment,
    docsUrl: config.GATEWAY_DOCS_URL,
    routes: ROUTES,
    handlers: createHandlers({
      ...shared,
      steering,
      panelUrl: config.PANEL_URL,
      providerTraits: accountTraits(config.dialects, config.accountLimits),
      openApi: openApiOf(environment),
    }),
    playerLimits: playerLimits(config.hourlyLimits),
    reads: READS,
    database,
    sealer,
    calls,
    edge: edgeOf(config),
    health,
    reference: loadReferencePage(),
    site: builtSite(),
    nowMs: Date.now,
    log: logger,
  });
  return { app, closeSteering: async () => steering?.close() };
}

/**
 * The document takes a fifth of a second of a processor. In production it is made at the start, so that no payment
 * waits for it; in a sandbox when it is first read, so that the api starts sooner.
 */
function openApiOf(environment: ApiConfig['GATEWAY_ENVIRONMENT']): () => string {
  let made: string | undefined;
  const openApi = () => (made ??= openApiYaml(ROUTES, { environment }));
  if (environment === 'production') openApi();
  return openApi;
}

function edgeOf(config: ApiConfig) {
  const edge = edgeIn(config);
  return edge === undefined ? undefined : { ...edge, operationHeader: config.TRUSTED_CERTIFICATE_HEADER };
}

main().catch((error: unknown) => failToStart('api', 'API_PORT', error));
