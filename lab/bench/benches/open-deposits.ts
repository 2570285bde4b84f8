// Many deposits that wait for their payment, on one worker: what one costs in memory while it is cached and once it is
// not, and how far behind the service falls when thousands of them expire within a minute.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowClient } from '@temporalio/client';
import pg from 'pg';
import { DepositWorkflows } from '../../../platform/temporal/payment-workflows.js';
import { DEFAULT_DEADLINES } from '../../../platform/temporal/calls.js';
import { step } from '../../../tools/bootstrap/progress.mjs';
import { keysInMemory } from '../../../store/sealing/keys.js';
import { vouchedCreation } from '../../../store/sealing/proofs.js';
import { Sealer } from '../../../store/sealing/sealer.js';
import { EXPIRY_GRACE_SECONDS } from '../../../domain/payments/deposit.js';
import { newPlayer } from '../../harness/payments.js';
import type { Stack } from '../../harness/stack.js';
import { depositOrder } from '../database/decisions.js';
import { median, percentile } from '../measure.js';
import { createOperators, forEach, type Operators } from '../operations.js';
import { shown } from '../report.js';
import type { Bench, BenchContext, Figure, Findings } from '../result.js';

/** A worker refuses a smaller one (platform/config/worker-slots.ts). */
const LEAST_CACHE = 160;
const FULL = { deposits: 20_000, burst: 5_000, burstSeconds: 60, cached: 2_000, atOnce: 16 };
const QUICK = { deposits: 480, burst: 60, burstSeconds: 10, cached: LEAST_CACHE, atOnce: 4 };
type Sizes = typeof FULL;
const DAY_SECONDS = 86_400;
/** Between the last creation and the first expiry. */
const QUIET_SECONDS = 20;
/** Webhooks report them, unlike the earlier ones, and the machine may be busier by then. */
const BURST_PATIENCE = 2;
const POLL_MS = 1_000;
/** Without one more that expires. */
const PATIENCE_MS = 180_000;
const GRACE_MS = EXPIRY_GRACE_SECONDS * 1_000;
const MOST_READS = 40;
/** A creation that is not answered in time is asked for again, as operators do. */
const MOST_TRIES = 10;

interface Sample {
  readonly open: number;
  readonly residentBytes: number;
}

interface Burst {
  readonly ids: readonly string[];
  readonly from: number;
}

export const openDeposits: Bench = {
  name: 'open-deposits',
  title: 'Deposits that wait for payment on one worker, and a burst of expiries',
  needsTemporal: true,
  async run({ servers, quick, count }: BenchContext): Promise<Findings> {
    const sizes = sizesFor(quick, count);
    // Known here, so that orders are sealed as the api seals them.
    const [sealing, hash] = [randomBytes(32), randomBytes(32)];
    const sealer = new Sealer(keysInMemory([{ id: 'k1', key: sealing }], hash));
    const variables = {
      GATEWAY_SEALING_KEYS: `k1:${sealing.toString('base64')}`,
      GATEWAY_HASH_KEY: hash.toString('base64'),
      WORKER_CACHED_WORKFLOWS: String(sizes.cached),
    };
    const stack = await step('starting a stack', () => servers.startStack(variables));
    const operators = await step('making an operation', () => createOperators(stack, 1, [stack.baseUrl]));
    const silent = await step('and one without webhooks', () =>
      createOperators(stack, 1, [stack.baseUrl], { name: 'silent', hasWebhooks: false }),
    );
    const database = new pg.Client({ connectionString: stack.databaseUrl });
    await database.connect();
    try {
      const temporal = stack.temporal.client.workflow;
      const bytesBefore = await databaseBytes(database);
      const { samples, perSecond, ids } = await step(`${sizes.deposits - sizes.burst} deposits that stay`, () =>
        createWaiting(creator(temporal, silent, sealer), stack, sizes),
      );
      const burst = await step(`${sizes.burst} deposits that will expire within ${sizes.burstSeconds} s`, () =>
        createBurst(creator(temporal, operators, sealer), sizes, perSecond),
      );
      const bytesEach = ((await databaseBytes(database)) - bytesBefore) / sizes.deposits;
      const readMs = await step('reads of deposits that are not cached', () => readEvicted(silent, ids));
      const lag = await step('the burst', () => expire(database, operators, burst, sizes));
      return findings(sizes, { samples, perSecond, bytesEach, readMs, residentAfter: residentBytes(stack), ...lag });
    } finally {
      await database.end();
      await silent.close();
      await operators.close();
      await stack.close();
    }
  },
};

function sizesFor(quick: boolean, count: number | undefined): Sizes {
  const sizes = quick ? QUICK : FULL;
  if (count === undefined) return sizes;
  return {
    ...sizes,
    deposits: count,
    burst: Math.min(sizes.burst, Math.floor(count / 4)),
    cached: Math.max(LEAST_CACHE, Math.min(sizes.cached, Math.floor(count / 3))),
  };
}

/** Creates one as the api does, without HTTP around it. @returns its id */
type Create = (expiresInSeconds: number) => Promise<string>;

function creator(temporal: WorkflowClient, { all }: Operators, sealer: Sealer): Create {
  const workflows = new DepositWorkflows(temporal, DEFAULT_DEADLINES);
  const operationId = all[0]?.operationId ?? '';
  return async (expiresInSeconds) => {
    const { external_ref: ref, document } = newPlayer();
    const order = { ...depositOrder({ operationId, sealer }, { ref, document: document.number }), expiresInSeconds };
    for (let tries = 1; ; tries += 1) {
      // A repeat is about the same deposit: it attaches to what was begun.
      const reply = await workflows.create(() => order);
      const { id } = order;
      if (
        reply.kind === 'answer' &&
        vouchedCreation(sealer, 'deposit', { id, operationId }, reply.value).kind === 'created'
      )
        return id;
      if (reply.kind === 'answer' || tries === MOST_TRIES)
        throw new Error(`a deposit could not be created: ${JSON.stringify(reply)}`);
    }
  };
}

async function createWaiting(
  create: Create,
  stack: Stack,
  { deposits, burst, atOnce }: Sizes,
): Promise<{ samples: Sample[]; perSecond: number; ids: string[] }> {
  const samples: Sample[] = [];
  const ids: string[] = [];
  const startedAt = performance.now();
  const sampling = setInterval(
    () => void samples.push({ open: ids.length, residentBytes: residentBytes(stack) }),
    POLL_MS,
  );
  try {
    await forEach(
      Array.from({ length: deposits - burst }),
      atOnce,
      async () => void ids.push(await create(DAY_SECONDS)),
    );
  } finally {
    clearInterval(sampling);
  }
  return { samples, perSecond: (ids.length * 1_000) / (performance.now() - startedAt), ids };
}

/** Each has its own instant within the burst, which begins when all of them exist. */
async function createBurst(create: Create, { burst, burstSeconds, atOnce }: Sizes, perSecond: number): Promise<Burst> {
  const from = Date.now() + (BURST_PATIENCE * (burst / perSecond) + QUIET_SECONDS) * 1_000;
  const ids: string[] = [];
  await forEach(
    Array.from({ length: burst }, (_, index) => from + (index * burstSeconds * 1_000) / burst),
    atOnce,
    async (at) => {
      ids.push(await create(Math.max(1, Math.round((at - Date.now()) / 1_000))));
    },
  );
  if (Date.now() > from)
    throw new Error('the deposits of the burst took longer to make than expected: some have expired already');
  return { ids, from };
}

interface Lag {
  /** From when each was due: its instant and the grace for a payment that is under way. */
  readonly behindMs: readonly number[];
  /** From when the last one was. */
  readonly allAfterMs: number;
  readonly webhookMs: readonly number[];
}

async function expire(
  database: pg.Client,
  { receiver }: Operators,
  { ids, from }: Burst,
  { burstSeconds }: Sizes,
): Promise<Lag> {
  receiver.forget();
  await sleep(Math.max(0, from + GRACE_MS - Date.now()));
  let expired = 0;
  for (let movedAt = Date.now(); expired < ids.length; await sleep(POLL_MS)) {
    const { rows } = await database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM deposit WHERE id = ANY($1) AND status = 'expired'`,
      [ids],
    );
    const now = rows[0]?.count ?? 0;
    if (now > expired) movedAt = Date.now();
    else if (Date.now() - movedAt > PATIENCE_MS + burstSeconds * 1_000)
      throw new Error(`${now} of ${ids.length} expired, and then no more`);
    expired = now;
  }
  const allAfterMs = Date.now() - (from + GRACE_MS + burstSeconds * 1_000);
  const { rows } = await database.query<{ behind: string }>(
    'SELECT extract(epoch FROM updated_at - expires_at) * 1000 - $2 AS behind FROM deposit WHERE id = ANY($1)',
    [ids, GRACE_MS],
  );
  // The last webhooks are on their way.
  for (let tries = 0; receiver.latencies.length < ids.length && tries < 60; tries += 1) await sleep(POLL_MS);
  return {
    behindMs: rows.map(({ behind }) => Number(behind)),
    allAfterMs: Math.max(0, allAfterMs),
    webhookMs: [...receiver.latencies],
  };
}

/** The oldest: the worker no longer has them in memory, and must replay their history for an answer. */
async function readEvicted({ all }: Operators, ids: readonly string[]): Promise<number[]> {
  const client = all[0]?.clients[0];
  const times: number[] = [];
  for (const id of ids.slice(0, MOST_READS)) {
    const startedAt = performance.now();
    await client?.getDeposit(id);
    times.push(performance.now() - startedAt);
  }
  return times;
}

interface OpenDepositsResult extends Lag {
  readonly samples: readonly Sample[];
  readonly perSecond: number;
  readonly bytesEach: number;
  readonly readMs: readonly number[];
  readonly residentAfter: number;
}

function findings(
  { deposits, burst, burstSeconds, cached, atOnce }: Sizes,
  { samples, perSecond, bytesEach, readMs, residentAfter, behindMs, allAfterMs, webhookMs }: OpenDepositsResult,
): Findings {
  const inCache = slope(samples.filter(({ open }) => open >= cached * 0.1 && open <= cached));
  const evicted = slope(samples.filter(({ open }) => open >= cached * 1.2));
  const figures: Figure[] = [
    {
      name: 'worker memory per waiting deposit, while the cache fills',
      value: inCache / 1_024,
      unit: 'KiB',
      note: `resident; the cache holds ${cached}`,
    },
    {
      name: 'worker memory per waiting deposit beyond the cache',
      value: evicted / 1_024,
      unit: 'KiB',
      note:
        `worker with ${deposits} waiting: ${megabytes(samples.at(-1)?.residentBytes ?? NaN)}; after the burst ` +
        `${megabytes(residentAfter)}`,
    },
    { name: 'both databases per waiting deposit', value: bytesEach / 1_024, unit: 'KiB' },
    { name: 'created per second', value: perSecond, unit: '/s', note: `${atOnce} at once` },
    {
      name: 'signed GET of a waiting deposit that is not cached',
      value: median(readMs),
      unit: 'ms',
      note: `p99 ${shown(percentile(readMs, 0.99))} ms, ${readMs.length} of them`,
    },
    {
      name: `expired of a burst of ${burst} in ${burstSeconds} s`,
      value: behindMs.length,
      unit: 'deposits',
      atLeast: burst,
    },
    {
      name: 'behind their instant, median',
      value: median(behindMs) / 1_000,
      unit: 's',
      note: `p99 ${shown(percentile(behindMs, 0.99) / 1_000)} s, most ${shown(Math.max(...behindMs) / 1_000)} s`,
    },
    { name: 'all of them, after the last instant', value: allAfterMs / 1_000, unit: 's' },
    ...(webhookMs.length === 0
      ? []
      : [
          {
            name: 'event to webhook in the burst, median',
            value: median(webhookMs),
            unit: 'ms',
            note: `p99 ${shown(percentile(webhookMs, 0.99))} ms, ${webhookMs.length} events`,
          },
        ]),
  ];
  return {
    figures,
    tables: [],
    remarks: [
      `${deposits} deposits of as many players by the api’s own call to Temporal (HTTP apart): workflows, rows, ` +
        'charges at the simulator, timers and webhooks are real. One worker process serves all task queues. Those ' +
        'that stay belong to an operation without webhooks, which makes them sooner there.',
      'Memory is the slope of the worker’s resident size over the number of deposits that wait: an upper bound, ' +
        'for what the collector has not taken back yet is in it.',
    ],
  };
}

/** Least squares; NaN without at least two different places. */
function slope(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [x, y] = [mean(({ open }) => open), mean(({ residentBytes: bytes }) => bytes)];
  const sum = (of: (sample: Sample) => number) => samples.reduce((total, sample) => total + of(sample), 0);
  return sum(({ open, residentBytes: bytes }) => (open - x) * (bytes - y)) / sum(({ open }) => (open - x) ** 2);
}

function residentBytes({ worker }: Stack): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${worker.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

async function databaseBytes(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ bytes: string }>(
    `SELECT sum(pg_database_size(datname)) AS bytes FROM pg_database WHERE datname = current_database()
      OR datname LIKE 'temporal%'`,
  );
  return Number(rows[0]?.bytes);
}

function megabytes(bytes: number): string {
  return `${shown(bytes / 2 ** 20)} MB`;
}
