// The servers of one test run, in their own folder under var/test, so that two runs do not meet.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from '../bootstrap/lock.mjs';
import { say, step } from '../bootstrap/progress.mjs';
import { inRoot } from '../bootstrap/root.mjs';
import { findFreePort } from '../processes/ports.js';
import type { Service } from '../processes/service.js';
import { ProcessRegistry, stopLeftovers } from '../processes/registry.js';
import { removePlace } from './postgres-place.js';
import { type PostgresServer, preparePostgres } from './postgres.js';
import { prepareTemporal, type TemporalServer } from './temporal.js';
import { resolveTestServer } from './temporal-test-server.js';
import type { Environment } from '../bootstrap/programs.mjs';

const RUNS = inRoot('var', 'test');

// Data that is thrown away at the end needs no care.
const TEST_POSTGRES_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  // The data may be in memory.
  max_wal_size: '256MB',
  max_connections: '300',
};

/** The folder and the processes of one run. */
export interface TestRun {
  readonly folder: string;
  readonly registry: ProcessRegistry;
  /** Stops what the run started and removes its folder. */
  close(): Promise<void>;
  onClose(stop: () => Promise<unknown>): void;
}

/** Opens a run; what earlier, killed runs left is removed first. */
export async function openTestRun(): Promise<TestRun> {
  mkdirSync(RUNS, { recursive: true });
  await removeLeftRuns();
  const folder = join(RUNS, `run-${process.pid}-${randomBytes(3).toString('hex')}`);
  mkdirSync(folder);
  tryLock(join(folder, 'lock'));
  const registry = new ProcessRegistry(join(folder, 'processes.json'));
  const stops: (() => Promise<unknown>)[] = [];
  return {
    folder,
    registry,
    onClose: (stop) => void stops.push(stop),
    async close() {
      await Promise.all(stops.map((stop) => stop()));
      registry.close();
      removeRun(folder);
    },
  };
}

async function removeLeftRuns(): Promise<void> {
  for (const name of readdirSync(RUNS).filter((entry) => entry.startsWith('run-'))) {
    const folder = join(RUNS, name);
    const attempt = existsSync(join(folder, 'lock')) ? tryLock(join(folder, 'lock')) : { holder: 0 };
    if (!('release' in attempt)) continue;
    const left = await stopLeftovers(join(folder, 'processes.json'));
    if (left.length > 0) say(`  ! An earlier test run had left ${left.join(', ')} running; ended.`);
    removeRun(folder);
  }
}

function removeRun(folder: string): void {
  removePlace(join(folder, 'postgres'));
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Starts what the tests need, unless the environment names a server already.
 * @returns the variables that tell the tests where everything is
 */
export async function startTestServers(run: TestRun, environment: Environment): Promise<Record<string, string>> {
  const testServer = await resolveTestServer(environment);
  say(`  · time-skipping test server: ${testServer.origin}`);
  const [postgresUrl, temporalAddress] = await Promise.all([
    startTestPostgres(run, environment),
    startTemporal(run, environment),
  ]);
  return {
    TEST_POSTGRES_URL: postgresUrl,
    TEST_TEMPORAL_ADDRESS: temporalAddress,
    TEST_TEMPORAL_TEST_SERVER: testServer.path,
  };
}

/** PostgreSQL in memory, unless the environment names one. @returns the superuser's URL */
export async function startTestPostgres(run: TestRun, environment: Environment): Promise<string> {
  const given = environment['TEST_POSTGRES_URL'];
  if (given) return given;
  return (await startPostgres(run, { settings: TEST_POSTGRES_SETTINGS, inMemory: true }, environment)).superuserUrl;
}

async function startTemporal(run: TestRun, environment: Environment): Promise<string> {
  const given = environment['TEST_TEMPORAL_ADDRESS'];
  if (given) return given;
  return (await startDevServer(run, undefined, environment)).address;
}

export interface PostgresPlace {
  readonly settings: Readonly<Record<string, string>>;
  /** The folder of its data; by default below the run's folder. */
  readonly home?: string;
  readonly inMemory?: boolean;
}

/** A PostgreSQL that ends with the run. */
export async function startPostgres(
  run: TestRun,
  { settings, home = join(run.folder, 'postgres'), inMemory = false }: PostgresPlace,
  environment: Environment = process.env,
): Promise<PostgresServer> {
  const server = preparePostgres(
    {
      environment,
      port: await findFreePort(),
      home,
      logFile: join(run.folder, 'postgres.log'),
      superuserPassword: randomBytes(16).toString('hex'),
      settings,
      inMemory,
    },
    run.registry,
  );
  return started(run, server);
}

/** Temporal's dev server, that ends with the run. `databaseFile`: what it keeps its workflows in, else memory. */
export async function startDevServer(
  run: TestRun,
  databaseFile: string | undefined,
  environment: Environment = process.env,
): Promise<TemporalServer> {
  const place = { environment, port: await findFreePort(), uiPort: undefined, databaseFile };
  return started(run, await prepareTemporal({ ...place, logFile: join(run.folder, 'temporal.log') }, run.registry));
}

async function started<Server extends { readonly service: Service; readonly description: string }>(
  run: TestRun,
  server: Server,
): Promise<Server> {
  run.onClose(() => server.service.stop());
  await step(server.description, () => server.service.start());
  return server;
}
