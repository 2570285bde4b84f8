// The requests of a payment, and decisions about it, with few and with many payments stored: two whole stacks take
// turns.
import pg from 'pg';
import type { GatewayClient } from '../../../client/index.js';
import { step } from '../../../tools/bootstrap/progress.mjs';
import { newDeposit, once } from '../../harness/payments.js';
import type { Stack } from '../../harness/stack.js';
import { storingRules } from '../../harness/storing-rules.js';
import type { Bench, BenchContext } from '../bench.js';
import { DECISIONS } from '../database/decisions.js';
import { type MeasuredPlayer, writeHistory } from '../database/history.js';
import { observeDatabase } from '../database/observed.js';
import { type MeasuredRead, readsOf } from '../database/reads.js';
import type { World } from '../database/world.js';
import { stackProcessorMs } from '../load/stack-processor.js';
import { costOf, type Costs, inTurns, median, percentile, ratio, timedOnly } from '../measure.js';
import { createOperators, type Operators } from '../operations.js';
import { shown } from '../report.js';
import type { Figure, Findings } from '../result.js';
import { newStackKeys } from '../stack-keys.js';

const MOST_GROWTH = 1.2;
const DAYS = 90;
const PLAYER: MeasuredPlayer = { ref: 'measured', document: '52998224725', payments: 60 };
const FULL = { few: 1_000, many: 300_000, rounds: 150, warmUps: 15 };
const QUICK = { few: 1_000, many: 5_000, rounds: 5, warmUps: 2 };
const READS: ReadonlySet<string> = new Set([
  'GET /deposits',
  'GET /deposits?player_ref=',
  'GET /withdrawals',
  'GET /events',
  'GET /events?after=, from the middle',
]);
/** Reads are so quick that the background work of the processes would weigh as much. */
const READS_FOR_ONE = 8;
const SIZES = ['few', 'many'] as const;
type Size = (typeof SIZES)[number];

/** A stack with its history. */
interface Side {
  readonly stack: Stack;
  readonly operators: Operators;
  readonly client: GatewayClient;
  readonly world: World;
  readonly reads: readonly MeasuredRead[];
  readonly pendingId: string;
}

export const growth: Bench = {
  name: 'growth',
  title: 'A payment’s requests and decisions with few and with many payments stored',
  needsTemporal: true,
  async run({ servers, quick }: BenchContext): Promise<Findings> {
    const sizes = quick ? QUICK : FULL;
    const sides: Partial<Record<Size, Side>> = {};
    try {
      for (const size of SIZES)
        sides[size] = await step(`a stack with ${sizes[size]} payments`, () => openSide(servers, sizes[size]));
      return await measure(sides as Record<Size, Side>, sizes);
    } finally {
      for (const { operators, world, stack } of Object.values(sides)) {
        await operators.close();
        await world.close();
        await stack.close();
      }
    }
  },
};

async function openSide(servers: BenchContext['servers'], payments: number): Promise<Side> {
  const { variables, sealer } = newStackKeys();
  const stack = await servers.startStack({ variables });
  const operators = await createOperators(stack, 1, [stack.baseUrl]);
  const [operator] = operators.all;
  const [client] = operator?.clients ?? [];
  if (operator === undefined || client === undefined) throw new Error('there is no operation');
  const { operationId } = operator;
  const [beside, observed] = [
    new pg.Client({ connectionString: stack.databaseUrl }),
    observeDatabase(stack.databaseUrl),
  ];
  await beside.connect();
  await writeHistory(beside, sealer, {
    operationId,
    payments,
    players: [PLAYER],
    end: new Date(),
    days: DAYS,
    complete: true,
  });
  const world: World = {
    url: stack.databaseUrl,
    observed,
    client: beside,
    sealer,
    operationId,
    key: { keyId: '', secret: '' },
    close: async () => {
      await observed.close();
      await beside.end();
    },
  };
  const reads = (await readsOf(world, PLAYER.ref)).filter(({ name }) => READS.has(name));
  const { id } = (await client.createDeposit(newDeposit(), once())).body;
  return { stack, operators, client, world, reads, pendingId: id };
}

async function measure(sides: Record<Size, Side>, sizes: typeof FULL): Promise<Findings> {
  const figures: Figure[] = [];
  const request = async (name: string, ask: (side: Side) => Promise<unknown>, times = 1) => {
    figures.push(await step(name, () => growthOfRequest(name, sides, ask, { ...sizes, rounds: sizes.rounds * times })));
  };
  await request('POST /deposits', ({ client }) => client.createDeposit(newDeposit(), once()));
  await request('GET /deposits/{id}, pending', ({ client, pendingId }) => client.getDeposit(pendingId));
  for (const [index, { name }] of sides.few.reads.entries()) {
    await request(
      name,
      ({ client, reads }) => reads[index]?.call(client) ?? Promise.reject(new Error(`${name} is missing`)),
      READS_FOR_ONE,
    );
  }
  for (const name of Object.keys(DECISIONS))
    figures.push(await step(`decision: ${name}`, () => growthOfDecision(name, sides, sizes)));
  return {
    figures,
    tables: [],
    remarks: [
      `${sizes.few} payments against ${sizes.many}, ${sizes.rounds} requests each (${READS_FOR_ONE} times as ` +
        'many reads), in turns, to two stacks on the same servers. What is compared for requests is the processor ' +
        'time of the stack’s own processes and database backends over all of them (Temporal is shared); for ' +
        'decisions that of the database backend, medians. The time waited is next to it.',
      'The histories are written by SQL; the requests are made by a new player each, the decisions are about one ' +
        'with 60 payments.',
    ],
  };
}

async function growthOfRequest(
  name: string,
  sides: Record<Size, Side>,
  ask: (side: Side) => Promise<unknown>,
  { rounds, warmUps }: typeof FULL,
): Promise<Figure> {
  const unlimited = (side: Side) => async () => {
    // The measurement is not about limits: there are no other requests.
    await side.world.client.query(`UPDATE rate_bucket SET theoretical_arrival_time = now() - interval '1 hour'`);
    return timedOnly(() => ask(side))();
  };
  const measurements = { few: unlimited(sides.few), many: unlimited(sides.many) };
  await inTurns(measurements, { warmUps: 0, rounds: warmUps });
  const spent = async () => ({
    few: await stackProcessorMs(sides.few.stack, sides.few.world.client),
    many: await stackProcessorMs(sides.many.stack, sides.many.world.client),
  });
  const before = await spent();
  const { few, many } = await inTurns(measurements, { warmUps: 0, rounds });
  const after = await spent();
  const [ofFew, ofMany] = [(after.few - before.few) / rounds, (after.many - before.many) / rounds];
  return {
    name: `${name}: growth`,
    value: ofMany / ofFew,
    unit: '×',
    atMost: MOST_GROWTH,
    note: `from ${shown(ofFew)} to ${shown(ofMany)} ms of processor time; ${waited(few, many)}`,
  };
}

async function growthOfDecision(
  name: string,
  sides: Record<Size, Side>,
  { rounds, warmUps }: typeof FULL,
): Promise<Figure> {
  const at = new Date().toISOString();
  const measurement = ({ world }: Side) => {
    const rules = storingRules({ database: world.observed.database, sealer: world.sealer });
    const decide = DECISIONS[name];
    return () => costOf(async () => decide?.(rules, world, PLAYER, at), [world.observed.processorMs]);
  };
  const { few, many } = await inTurns(
    { few: measurement(sides.few), many: measurement(sides.many) },
    { warmUps, rounds },
  );
  return {
    name: `decision, ${name}: growth`,
    value: ratio(many.processorMs, few.processorMs),
    unit: '×',
    atMost: MOST_GROWTH,
    note: `to ${shown(median(many.processorMs))} ms of database time; ${waited(few, many)}`,
  };
}

function waited(few: Costs, many: Costs): string {
  return (
    `waited for: ${shown(ratio(many.waitedMs, few.waitedMs))} × to ${shown(median(many.waitedMs))} ms, p99 ` +
    `${shown(percentile(many.waitedMs, 0.99))} ms`
  );
}
