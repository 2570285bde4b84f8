// What creating and reading a deposit costs a whole stack with few and with many payments stored: stacks take turns.
// The other reads and the decisions have benches of their own.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import type { GatewayClient } from '../../../client/index.js';
import { keysInMemory } from '../../../store/sealing/keys.js';
import { Sealer } from '../../../store/sealing/sealer.js';
import { step } from '../../../tools/bootstrap/progress.mjs';
import { newDeposit, once } from '../../harness/payments.js';
import type { Stack } from '../../harness/stack.js';
import { type MeasuredPlayer, writeHistory } from '../database/history.js';
import { inTurns, median, ratio, timedOnly } from '../measure.js';
import { createOperators, type Operators } from '../operations.js';
import { shown } from '../report.js';
import type { Bench, BenchContext, Figure, Findings } from '../result.js';

const MOST_GROWTH = 1.1;
const DAYS = 90;
const PLAYER: MeasuredPlayer = { ref: 'measured', document: '52998224725', payments: 60 };
const FULL = { few: 1_000, more: 300_000, most: 1_000_000, rounds: 300, warmUps: 30 };
const QUICK = { few: 1_000, more: 3_000, most: 5_000, rounds: 5, warmUps: 2 };
const SIZES = ['few', 'more', 'most'] as const;
type Size = (typeof SIZES)[number];

/** A stack with its history. */
interface Side {
  readonly stack: Stack;
  readonly operators: Operators;
  readonly client: GatewayClient;
  /** Beside the stack's own connections. */
  readonly database: pg.Client;
  readonly pendingId: string;
}

export const growth: Bench = {
  name: 'growth',
  title: 'Creating and reading a deposit with few and with many payments stored',
  needsTemporal: true,
  async run({ servers, quick }: BenchContext): Promise<Findings> {
    const sizes = quick ? QUICK : FULL;
    const sides: Partial<Record<Size, Side>> = {};
    try {
      for (const size of SIZES)
        sides[size] = await step(`a stack with ${sizes[size]} payments`, () => openSide(servers, sizes[size]));
      return await measure(sides as Record<Size, Side>, sizes);
    } finally {
      for (const { operators, database, stack } of Object.values(sides)) {
        await operators.close();
        await database.end();
        await stack.close();
      }
    }
  },
};

async function openSide(servers: BenchContext['servers'], payments: number): Promise<Side> {
  // Known keys: the history has sealed values.
  const [sealing, hash] = [randomBytes(32), randomBytes(32)];
  const [sealingKeys, hashKey] = [`k1:${sealing.toString('base64')}`, hash.toString('base64')];
  const stack = await servers.startStack({ GATEWAY_SEALING_KEYS: sealingKeys, GATEWAY_HASH_KEY: hashKey });
  const operators = await createOperators(stack, 1, [stack.baseUrl]);
  const [operator] = operators.all;
  const [client] = operator?.clients ?? [];
  if (operator === undefined || client === undefined) throw new Error('there is no operation');
  const database = new pg.Client({ connectionString: stack.databaseUrl });
  await database.connect();
  await writeHistory(database, new Sealer(keysInMemory([{ id: 'k1', key: sealing }], hash)), {
    operationId: operator.operationId,
    payments,
    players: [PLAYER],
    end: new Date(),
    days: DAYS,
    complete: true,
  });
  const { id } = (await client.createDeposit(newDeposit(), once())).body;
  return { stack, operators, client, database, pendingId: id };
}

async function measure(sides: Record<Size, Side>, sizes: typeof FULL): Promise<Findings> {
  const requests: Readonly<Record<string, (side: Side) => Promise<unknown>>> = {
    'POST /deposits': ({ client }) => client.createDeposit(newDeposit(), once()),
    'GET /deposits/{id}, pending': ({ client, pendingId }) => client.getDeposit(pendingId),
  };
  const figures: Figure[] = [];
  for (const [name, ask] of Object.entries(requests))
    figures.push(...(await step(name, () => growthOf(name, sides, ask, sizes))));
  return {
    figures,
    tables: [],
    remarks: [
      `${sizes.few} payments against ${sizes.more} and ${sizes.most}, ${sizes.rounds} requests each, in turns, to ` +
        'stacks on the same servers. What is compared is the processor time of a stack’s own processes and database ' +
        'backends over all of them (Temporal is shared). The time waited is next to it.',
      'The histories are written by SQL; the requests are made by a new player each.',
    ],
  };
}

async function growthOf(
  name: string,
  sides: Record<Size, Side>,
  ask: (side: Side) => Promise<unknown>,
  sizes: typeof FULL,
): Promise<Figure[]> {
  const unlimited = (side: Side) => async () => {
    // The measurement is not about limits: there are no other requests.
    await side.database.query(`UPDATE rate_bucket SET theoretical_arrival_time = now() - interval '1 hour'`);
    return timedOnly(() => ask(side))();
  };
  const measurements = { few: unlimited(sides.few), more: unlimited(sides.more), most: unlimited(sides.most) };
  await inTurns(measurements, { warmUps: 0, rounds: sizes.warmUps });
  const before = await spent(sides);
  const costs = await inTurns(measurements, { warmUps: 0, rounds: sizes.rounds });
  const after = await spent(sides);
  const ofOne = (size: Size) => (after[size] - before[size]) / sizes.rounds;
  return (['more', 'most'] as const).map((size) => ({
    name: `${name}: with ${sizes[size]} payments`,
    value: ofOne(size) / ofOne('few'),
    unit: '×',
    atMost: MOST_GROWTH,
    note:
      `from ${shown(ofOne('few'))} to ${shown(ofOne(size))} ms of processor time; waited for: ` +
      `${shown(ratio(costs[size].waitedMs, costs.few.waitedMs))} × to ${shown(median(costs[size].waitedMs))} ms`,
  }));
}

/** Milliseconds of processors of each stack's own processes and backends since their start. */
async function spent(sides: Record<Size, Side>): Promise<Record<Size, number>> {
  const entries: [Size, number][] = [];
  for (const size of SIZES) {
    const { stack, database } = sides[size];
    const { rows } = await database.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    const own = [stack.api, stack.worker, stack.simulator].flatMap(({ pid }) => pid ?? []);
    const pids = [...own, ...rows.map(({ pid }) => pid)];
    entries.push([size, pids.reduce((sum, pid) => sum + threadsMs(pid), 0)]);
  }
  return Object.fromEntries(entries) as Record<Size, number>;
}

/** Of all of a process's threads, as the kernel counts it (nanoseconds); 0 when unknown. */
function threadsMs(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce(
      (sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
      0,
    );
  } catch {
    return 0;
  }
}
