// The services behind every process that serves requests: PostgreSQL, Temporal and the sealing keys. Whether they
// answer decides whether the process can serve, and its internal port reports it. Health checks are public, so only the
// log names what is missing.
import type { Logger } from 'pino';
import { bounded } from './bounded.js';
import { WorkflowClient } from '@temporalio/client';
import { answers, createDatabase, poolUsage, whenShareTimesOut } from '../../store/database.js';
import { openKeys } from '../../store/sealing/open-keys.js';
import { count, exposition, showPool } from '../telemetry/instruments.js';
import { type InternalServer, startInternalServer } from '../telemetry/internal-server.js';
import { DATA_CONVERTER, openTemporal } from '../temporal/connection.js';
import { tracedCalls } from '../temporal/traced-client.js';

/** A dependency by name; resolves when it answers, rejects when it does not. */
export type HealthChecks = Readonly<Record<string, () => Promise<unknown>>>;

const TIMEOUT_MS = 1_500;
/** The dependencies are checked at most this often, for all callers together. */
const FRESH_MS = 500;

/** Asks the dependencies, or remembers. Logs each change, with the names of the dependencies that are missing. */
export function readiness(checks: HealthChecks, nowMs: () => number, log: Logger): () => Promise<boolean> {
  let last: { atMs: number; missing: Promise<readonly string[]> } | undefined;
  let reported = '';
  return async () => {
    if (last === undefined || nowMs() - last.atMs > FRESH_MS) last = { atMs: nowMs(), missing: missingOf(checks) };
    const missing = await last.missing;
    if (missing.join() !== reported) {
      reported = missing.join();
      if (missing.length === 0) log.info('ready again');
      else log.warn({ missing }, 'not ready');
    }
    return missing.length === 0;
  };
}

/** The names of the dependencies that do not answer in time. */
async function missingOf(checks: HealthChecks): Promise<readonly string[]> {
  const answers = await Promise.all(
    Object.entries(checks).map(([name, ask]) =>
      bounded(ask(), TIMEOUT_MS, name).then(
        () => undefined,
        () => name,
      ),
    ),
  );
  return answers.filter((name) => name !== undefined);
}

interface ServicesConfig {
  readonly DATABASE_URL: string;
  readonly DATABASE_POOL_SIZE: number;
  readonly temporal: Parameters<typeof openTemporal>[0] & { readonly namespace: string };
  readonly keys: Parameters<typeof openKeys>[0];
}

export type Services = ReturnType<typeof connect>;

/** Clients of all three. They connect lazily: the process starts and answers 503 while one is down. */
export function connect(config: ServicesConfig, isTracing: boolean) {
  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    connectTimeoutMs: 2_000,
    statementTimeoutMs: 5_000,
  });
  const connection = openTemporal(config.temporal);
  const temporal = new WorkflowClient({
    dataConverter: DATA_CONVERTER,
    connection,
    namespace: config.temporal.namespace,
    ...(isTracing ? { interceptors: [tracedCalls] } : {}),
  });
  return { database, connection, temporal, keys: openKeys(config.keys, database) };
}

/** Whether each answers, and whether the process continues. */
export function healthChecks({ database, connection, keys }: Services, isEnding: () => boolean) {
  return {
    serving: () => (isEnding() ? Promise.reject(new Error('ending')) : Promise.resolve()),
    postgres: () => answers(database),
    keys: () => keys.ready(),
    temporal: () => connection.withDeadline(Date.now() + 1_000, () => connection.workflowService.getSystemInfo({})),
  } satisfies HealthChecks;
}

/** Metrics, liveness and readiness, when a port is configured for them. */
export async function startInternal(
  process: Parameters<typeof exposition>[0],
  { host, port }: { readonly host: string; readonly port: number | undefined },
  { database }: Services,
  checks: HealthChecks,
): Promise<InternalServer | undefined> {
  if (port === undefined) return undefined;
  whenShareTimesOut(database, () => count('gateway_database_share_refusals_total', { why: 'timeout' }));
  const metrics = exposition(process, async () => showPool(poolUsage(database)));
  return startInternalServer({ host, port, isReady: async () => (await missingOf(checks)).length === 0, metrics });
}
