// The panel process: the page where people decide, and its interface. Shuts down cleanly on a signal.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { pino } from 'pino';
import { type PanelConfig, readPanelConfig } from '../platform/config/panel.js';
import { edgeIn } from '../platform/config/trusted-proxies.js';
import { endOnSignal, failToStart } from '../platform/http/ending.js';
import { type HttpFault, type RawAnswer, startServer } from '../platform/http/server.js';
import { connect, healthChecks, type Services, startInternal } from '../platform/http/services.js';
import { traceLogFields } from '../platform/telemetry/spans.js';
import { startTracing } from '../platform/telemetry/tracing.js';
import { DATA_CONVERTER } from '../platform/temporal/connection.js';
import { DEFAULT_DEADLINES } from '../platform/temporal/calls.js';
import { DepositWorkflows, WithdrawalWorkflows } from '../platform/temporal/payment-workflows.js';
import { watchRole } from '../store/database.js';
import { keepNotingKeyUse } from '../store/sealing/key-use.js';
import { Sealer } from '../store/sealing/sealer.js';
import { IdentityProvider } from '../staff/acts/identity-provider.js';
import { createPanel } from './app.js';
import { loadPage } from './files.js';
import { BODY_LIMIT_BYTES } from './middleware/input.js';

async function main(): Promise<void> {
  const config = readPanelConfig(process.env);
  const tracing = await startTracing(config.tracing);
  const logger = pino({
    level: config.LOG_LEVEL,
    base: { process: 'panel' },
    ...(tracing.isOn ? { mixin: traceLogFields } : {}),
  });
  const services = connect(config, tracing.isOn);
  const { database, keys, connection } = services;
  watchRole(database, config.GATEWAY_ENVIRONMENT, (refusal) => {
    logger.fatal(refusal);
    process.exit(1);
  });
  let ending = false;
  const { temporal: askTemporal, ...checks } = healthChecks(services, () => ending);
  const { app, streams } = createPanel({
    ...servicesOf(config, services, logger),
    panelUrl: config.PANEL_URL,
    files: loadPage(config.PANEL_FILES_DIR),
    edge: edgeIn(config),
    health: checks,
    askTemporal,
  });
  const place = { host: config.PANEL_HOST, port: config.PANEL_PORT };
  const server = await startServer(app, { ...place, bodyLimitBytes: BODY_LIMIT_BYTES, refusalOf });
  const internalPlace = { host: config.PANEL_METRICS_HOST, port: config.PANEL_METRICS_PORT };
  const internal = await startInternal('panel', internalPlace, services, checks);
  const keyUse = keepNotingKeyUse(database, keys);
  logger.info({ port: server.port, environment: config.GATEWAY_ENVIRONMENT }, 'panel listening');

  endOnSignal(async () => {
    ending = true;
    server.drain();
    await sleep(config.PANEL_DRAIN_SECONDS * 1_000);
    streams.close();
    keyUse.stop();
    await server.close();
    await internal?.close();
    await Promise.all([connection.close(), keys.close()]);
    await database.$disconnect();
    await tracing.stop();
    logger.info('panel stopped');
  });
}

function servicesOf(config: PanelConfig, { database, connection, temporal, keys }: Services, log: pino.Logger) {
  const { TEMPORAL_UI_URL: url } = config;
  const { namespace } = config.temporal;
  return {
    environment: config.GATEWAY_ENVIRONMENT,
    database,
    sealer: new Sealer(keys),
    temporal: new Client({ dataConverter: DATA_CONVERTER, connection, namespace }),
    deposits: new DepositWorkflows(temporal, DEFAULT_DEADLINES),
    withdrawals: new WithdrawalWorkflows(temporal, DEFAULT_DEADLINES),
    temporalUi: url === undefined ? null : { url, namespace },
    tracesUi: config.TRACES_UI_URL ?? null,
    decideWithinSeconds: config.PANEL_DECIDE_WITHIN_SECONDS,
    reasonAboveMinor: config.PANEL_REASON_ABOVE_MINOR,
    identityProvider: identityProviderOf(config),
    log,
  };
}

function identityProviderOf(config: PanelConfig): IdentityProvider | null {
  const { PANEL_OIDC_ISSUER: issuer, PANEL_OIDC_CLIENT_ID: clientId, PANEL_OIDC_CLIENT_SECRET: clientSecret } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return new IdentityProvider({
    issuer,
    clientId,
    clientSecret,
    subjectClaim: config.PANEL_OIDC_SUBJECT_CLAIM,
    maxAgeSeconds: config.PANEL_OIDC_MAX_AGE_SECONDS ?? null,
    redirectUri: `${config.PANEL_URL}/sign-in`,
  });
}

const FAULTS: Readonly<Record<HttpFault, number>> = {
  too_slow: 408,
  headers_too_large: 431,
  no_http: 400,
  connect: 405,
};

/** Input that cannot be parsed as a request gets a status and nothing else. */
function refusalOf(fault: HttpFault): RawAnswer {
  return { status: FAULTS[fault], headers: { 'Content-Type': 'text/plain' }, body: Buffer.alloc(0) };
}

main().catch((error: unknown) => failToStart('panel', 'PANEL_PORT', error));
