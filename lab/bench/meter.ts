// All of a stack's counters, read at once. What payments cost is the difference of two readings, minus what the idle
// stack uses in that time.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Stack } from '../harness/stack.js';
import { processorSeconds } from './processor-use.js';
import type { Counters } from './result.js';
import type { BenchServers } from './servers.js';

export interface Meter {
  /** What one of `count` things cost that `work` does. */
  costOfOne(count: number, work: () => Promise<unknown>): Promise<Counters>;
}

const IDLE_MS = 6_000;
/** After the last answer: workflows end, and PostgreSQL's statistics are a second late. */
const REST_MS = 3_000;

/** Measures the idle stack first. */
export async function openMeter(servers: BenchServers, stack: Stack): Promise<Meter> {
  const read = () => readAll(servers, stack);
  const idle = await elapse(read, () => sleep(IDLE_MS));
  return {
    costOfOne: async (count, work) => {
      const spent = await elapse(read, async () => {
        await work();
        await sleep(REST_MS);
      });
      const own = (name: string) => (spent.risen[name] ?? 0) - ((idle.risen[name] ?? 0) * spent.tookMs) / idle.tookMs;
      return Object.fromEntries(Object.keys(spent.risen).map((name) => [name, Math.max(0, own(name)) / count]));
    },
  };
}

async function elapse(
  read: () => Promise<Counters>,
  work: () => Promise<unknown>,
): Promise<{ risen: Counters; tookMs: number }> {
  const before = await read();
  const startedAt = performance.now();
  await work();
  const tookMs = performance.now() - startedAt;
  const after = await read();
  return {
    risen: Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)])),
    tookMs,
  };
}

async function readAll(servers: BenchServers, stack: Stack): Promise<Counters> {
  const processors = Object.fromEntries(
    [...(await processorSeconds())].map(([name, seconds]) => [`processorMs.${name}`, seconds * 1_000]),
  );
  return {
    ...processors,
    ...(await readPostgres(stack.databaseUrl)),
    ...(await readPersistence(await servers.temporalMetricsUrls())),
  };
}

/** Of the gateway's database, except for the write-ahead log, which the whole server shares. */
async function readPostgres(databaseUrl: string): Promise<Counters> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, string>>(`
      SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS "walBytes",
        (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS commits,
        (SELECT sum(n_tup_ins) FROM pg_stat_user_tables) AS "rowsInserted",
        (SELECT sum(n_tup_upd) FROM pg_stat_user_tables) AS "rowsUpdated",
        pg_database_size(current_database()) AS "gatewayBytes",
        (SELECT coalesce(sum(pg_database_size(datname)), 0) FROM pg_database
          WHERE datname LIKE 'temporal%') AS "temporalBytes"`);
    return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]));
  } finally {
    await client.end();
  }
}

/** The write of every workflow step. */
const STEP = 'UpdateWorkflowExecution';

/** Requests of all roles, the number of workflow steps among them, and how many seconds those took. */
async function readPersistence(urls: readonly string[]): Promise<Counters> {
  if (urls.length === 0) return {};
  const samples = (await Promise.all(urls.map(readSamples))).flat();
  const sum = (name: RegExp, labels: (text: string) => boolean = () => true) =>
    samples
      .filter((sample) => name.test(sample.name) && labels(sample.labels))
      .reduce((total, { value }) => total + value, 0);
  const isStep = (labels: string) => labels.includes(`operation="${STEP}"`);
  return {
    persistenceRequests: sum(/^persistence_requests(_total)?$/),
    persistenceSteps: sum(/^persistence_latency(_seconds)?_count$/, isStep),
    persistenceStepSeconds: sum(/^persistence_latency(_seconds)?_sum$/, isStep),
  };
}

interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

async function readSamples(url: string): Promise<Sample[]> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return [...(await response.text()).matchAll(/^(\w+)(\{.*\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels,
    value: Number(value),
  }));
}
