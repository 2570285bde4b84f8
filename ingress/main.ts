// The ingress process: takes the providers' callbacks on a port of its own. It holds the secrets that prove callbacks
// and none that can pay; the api holds neither. Shuts down cleanly on a signal.
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { type IngressConfig, readIngressConfig } from '../platform/config/ingress.js';
import { endOnSignal, failToStart } from '../platform/http/ending.js';
import { readiness, connect, healthChecks, type Services, startInternal } from '../platform/http/services.js';
import { startServer } from '../platform/http/server.js';
import { count } from '../platform/telemetry/instruments.js';
import { traceLogFields } from '../platform/telemetry/spans.js';
import { startTracing } from '../platform/telemetry/tracing.js';
import { DEFAULT_DEADLINES } from '../platform/temporal/calls.js';
import { createCallbackReaders } from '../providers/index.js';
import { watchRole } from '../store/database.js';
import { keepNotingKeyUse } from '../store/sealing/key-use.js';
import { Sealer } from '../store/sealing/sealer.js';
import { CALLBACK_LIMIT_BYTES, createIngress, refusalOf } from './app.js';
import { PassedOn } from './notices.js';

async function main(): Promise<void> {
  const config = readIngressConfig(process.env);
  const tracing = await startTracing(config.tracing);
  const logger = pino({
    level: config.LOG_LEVEL,
    base: { process: 'ingress' },
    ...(tracing.isOn ? { mixin: traceLogFields } : {}),
  });
  const services = connect(config, tracing.isOn);
  const { database, keys, connection } = services;
  watchRole(database, config.GATEWAY_ENVIRONMENT, (refusal) => {
    logger.fatal(refusal);
    process.exit(1);
  });
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
  const internalPlace = { host: config.INGRESS_METRICS_HOST, port: config.INGRESS_METRICS_PORT };
  const internal = await startInternal('ingress', internalPlace, services, checks);
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
    readers: createCallbackReaders(config.callbacks, {
      noteDrift: (provider, what) => count('gateway_provider_drift_total', { provider, what }),
    }),
    continuesTraces: config.GATEWAY_ENVIRONMENT === 'sandbox',
    trustedProxies: config.TRUSTED_PROXIES,
    isReady,
    passedOn,
  });
}

main().catch((error: unknown) => failToStart('ingress', 'INGRESS_PORT', error));
