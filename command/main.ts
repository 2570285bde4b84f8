// The process that runs the staff's `gateway` commands of production. Shuts down cleanly on a signal.
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { readCommandServerConfig } from '../platform/config/command-server.js';
import { edgeIn } from '../platform/config/trusted-proxies.js';
import { endOnSignal, failToStart } from '../platform/http/ending.js';
import { startServer } from '../platform/http/server.js';
import { answers, createDatabase, watchRole } from '../store/database.js';
import { MOST_RUN_BYTES } from '../cli/server-run.js';
import { createCommandServer, refusalOf } from './app.js';

/** Sessions and limits are asked for here; each command has connections of its own. */
const POOL_SIZE = 4;

async function main(): Promise<void> {
  const config = readCommandServerConfig(process.env);
  const log = pino({ level: config.LOG_LEVEL, base: { process: 'command' } });
  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: POOL_SIZE,
    connectTimeoutMs: 2_000,
    statementTimeoutMs: 5_000,
  });
  watchRole(database, config.GATEWAY_ENVIRONMENT, (refusal) => {
    log.fatal(refusal);
    process.exit(1);
  });
  let isEnding = false;
  const app = createCommandServer({
    environment: process.env,
    deployment: config.GATEWAY_ENVIRONMENT,
    database,
    edge: edgeIn(config),
    log,
    isReady: async () =>
      !isEnding &&
      (await answers(database).then(
        () => true,
        () => false,
      )),
  });
  const server = await startServer(app, {
    host: config.COMMAND_HOST,
    port: config.COMMAND_PORT,
    bodyLimitBytes: MOST_RUN_BYTES,
    refusalOf,
  });
  log.info({ port: server.port, environment: config.GATEWAY_ENVIRONMENT }, 'commands listening');
  endOnSignal(async () => {
    isEnding = true;
    server.drain();
    await sleep(config.COMMAND_DRAIN_SECONDS * 1_000);
    await server.close();
    await database.$disconnect();
    log.info('commands stopped');
  });
}

main().catch((error: unknown) => failToStart('command', 'COMMAND_PORT', error));
