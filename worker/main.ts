// The worker process: runs workflows and activities of the task queues it is configured for.
import { createServer } from 'node:http';
import { Client } from '@temporalio/client';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import { createActivities } from '../activities/index.js';
import { createEgressAgent } from '../activities/webhooks/egress.js';
import { ConfigurationError } from '../config/environment.js';
import { readWorkerConfig } from '../config/worker.js';
import { TASK_QUEUES } from '../contract/temporal/task-queues.js';
import { createProviders } from '../providers/pix-api/index.js';
import { createDatabase } from '../store/client.js';
import { Sealer } from '../store/sealing.js';
import { createWorkers } from './create-workers.js';
import { keepSchedule, SCHEDULES } from './schedules.js';
import { temporalLogger } from './temporal-logger.js';

async function main(): Promise<void> {
  const config = readWorkerConfig(process.env);
  const logger = pino({ level: config.LOG_LEVEL, base: { process: 'worker' } });
  Runtime.install({ logger: temporalLogger(logger), shutdownSignals: [] });

  const database = createDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE, connectTimeoutMs: 3_000, statementTimeoutMs: 8_000 });
  const connection = await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS });
  const activities = createActivities({
    database,
    sealer: new Sealer(config.keys),
    providers: createProviders(config.providers),
    webhookAgent: createEgressAgent(config.GATEWAY_ENVIRONMENT),
    environment: config.GATEWAY_ENVIRONMENT,
    logger,
  });
  const workers = await createWorkers(
    { connection, namespace: config.TEMPORAL_NAMESPACE, taskQueues: config.WORKER_TASK_QUEUES, cachedWorkflows: config.WORKER_CACHED_WORKFLOWS },
    activities,
  );

  const health = createServer((request, response) => {
    const running = workers.every((worker) => worker.getState() === 'RUNNING');
    response.writeHead(request.url === '/healthz' ? (running ? 200 : 503) : 404).end();
  });
  health.listen(config.WORKER_HEALTH_PORT, '127.0.0.1');

  const shutdown = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  process.on('SIGTERM', shutdown);
  process.on('SIGINT', shutdown);

  // Scheduled work runs on the payments queue: whoever serves it sees to the schedules.
  const client = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
  const schedules = config.WORKER_TASK_QUEUES.includes(TASK_QUEUES.payments) ? SCHEDULES.map((schedule) => keepSchedule(client, schedule, logger)) : [];

  logger.info({ taskQueues: config.WORKER_TASK_QUEUES }, 'worker started');
  await Promise.all(workers.map((worker) => worker.run()));
  health.close();
  for (const schedule of schedules) schedule.stop();
  await connection.close();
  await database.$disconnect();
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
