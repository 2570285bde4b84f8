// The servers of a benchmark run: its own PostgreSQL with production's durability, and Temporal (its dev server, or its
// roles on that PostgreSQL), on free ports, started when the first benchmark asks and ended with the run.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { deployDatabase } from '../../prisma/deploy.js';
import { openTestRun, startPostgres } from '../../tools/servers/test-servers.js';
import { type StartedTemporal, startTemporal } from '../harness/servers.js';
import { type Stack, startStack } from '../harness/stack.js';

/** What a small database server of 8 GB would be given; commits are waited for, as in production. */
const POSTGRES_SETTINGS = {
  shared_buffers: '2GB',
  work_mem: '32MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '8GB',
  max_connections: '300',
  effective_cache_size: '4GB',
};

/**
 * What Temporal keeps its workflows in: its dev server's SQLite file, or PostgreSQL under its four roles, as in
 * production.
 */
export const TEMPORAL_KINDS = ['dev', 'postgres'] as const;
export type TemporalKind = (typeof TEMPORAL_KINDS)[number];

export interface BenchServers {
  /** Creates a migrated, empty database. @returns its URL */
  newDatabase(): Promise<string>;
  /** A whole stack on these servers, with these variables for every process; ended with them, if not before. */
  startStack(variables?: Readonly<Record<string, string>>): Promise<Stack>;
  /** A superuser's URL of the PostgreSQL server. */
  postgresUrl(): Promise<string>;
  /** Where Temporal's roles serve their metrics; empty for the dev server. */
  temporalMetricsUrls(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Opens the run's folder; nothing is started yet. */
export async function openBenchServers(kind: TemporalKind): Promise<BenchServers> {
  const run = await openTestRun();
  const stacks = new Set<Promise<Stack>>();
  let postgres: Promise<string> | undefined;
  let temporal: Promise<StartedTemporal> | undefined;
  let closing: Promise<void> | undefined;
  const postgresUrl = () =>
    (postgres ??= startPostgres(run, { settings: POSTGRES_SETTINGS }).then(({ superuserUrl }) => superuserUrl));
  const startedTemporal = async () =>
    (temporal ??= startTemporal(run, kind === 'postgres' ? 'cluster' : 'dev', await postgresUrl()));
  return {
    newDatabase: async () => createDatabase(await postgresUrl()),
    postgresUrl,
    temporalMetricsUrls: async () => (await startedTemporal()).temporalMetricsUrls,
    startStack: async (variables = {}) => {
      const servers = {
        postgresUrl: await postgresUrl(),
        temporalAddress: (await startedTemporal()).temporal.address,
        folder: run.folder,
        isDirect: true,
      };
      const stack = startStack({ servers, variables });
      stacks.add(stack);
      return stack;
    },
    close: () =>
      (closing ??= (async () => {
        // A stack that could not be started has nothing to close.
        await Promise.all(
          [...stacks].map((stack) =>
            stack.then(
              ({ close }) => close(),
              () => undefined,
            ),
          ),
        );
        await run.close();
      })()),
  };
}

async function createDatabase(superuserUrl: string): Promise<string> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  await execute(superuserUrl, `CREATE DATABASE ${name}`);
  const url = new URL(superuserUrl);
  url.pathname = `/${name}`;
  await deployDatabase(url.toString());
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
