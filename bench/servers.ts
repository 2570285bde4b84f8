// The servers of a benchmark run: its own PostgreSQL with production's durability and a Temporal dev server, on free ports,
// started when the first benchmark asks and ended with the run.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { step } from '../dev/bootstrap/progress.mjs';
import { inRoot } from '../dev/bootstrap/root.mjs';
import { findFreePort } from '../dev/processes/ports.js';
import { preparePostgres } from '../dev/servers/postgres.js';
import { prepareTemporal } from '../dev/servers/temporal.js';
import { openTestRun, type TestRun } from '../dev/test-run/servers.js';
import { deployMigrations } from '../prisma/deploy.js';
import type { StackServers } from '../test/support/stack/stack.js';

/** What a small database server of 8 GB would be given; commits are waited for, as in production. */
const POSTGRES_SETTINGS = { shared_buffers: '2GB', work_mem: '32MB', maintenance_work_mem: '256MB', max_wal_size: '8GB', max_connections: '300', effective_cache_size: '4GB' };

export interface BenchServers {
  /** A migrated, empty database of its own. @returns its URL */
  newDatabase(): Promise<string>;
  /** Both servers, for a whole stack. */
  forStack(): Promise<StackServers>;
  close(): Promise<void>;
}

/** Opens the run's folder; nothing is started yet. */
export async function openBenchServers(): Promise<BenchServers> {
  const run = await openTestRun();
  let postgres: Promise<string> | undefined;
  let temporal: Promise<string> | undefined;
  return {
    close: run.close,
    forStack: async () => {
      const [postgresUrl, temporalAddress] = await Promise.all([(postgres ??= startPostgres(run)), (temporal ??= startTemporal(run))]);
      return { postgresUrl, temporalAddress };
    },
    newDatabase: async () => createDatabase(await (postgres ??= startPostgres(run))),
  };
}

async function startPostgres(run: TestRun): Promise<string> {
  const server = preparePostgres(
    {
      environment: process.env, port: await findFreePort(), home: join(run.folder, 'postgres'), logFile: join(run.folder, 'postgres.log'),
      superuserPassword: randomBytes(16).toString('hex'), settings: POSTGRES_SETTINGS,
    },
    run.registry,
  );
  run.onClose(() => server.service.stop());
  await step(server.description, () => server.service.start());
  return server.superuserUrl;
}

async function startTemporal(run: TestRun): Promise<string> {
  // On disk: that is what commits cost.
  const databaseFile = join(run.folder, 'temporal', 'temporal.db');
  const server = await prepareTemporal({ environment: process.env, port: await findFreePort(), uiPort: undefined, databaseFile, logFile: join(run.folder, 'temporal.log') }, run.registry);
  run.onClose(() => server.service.stop());
  await step(server.description, () => server.service.start());
  return server.address;
}

async function createDatabase(superuserUrl: string): Promise<string> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  await execute(superuserUrl, `CREATE DATABASE ${name}`);
  const url = new URL(superuserUrl);
  url.pathname = `/${name}`;
  await deployMigrations(url.toString(), inRoot('prisma', 'migrations'));
  return url.toString();
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
