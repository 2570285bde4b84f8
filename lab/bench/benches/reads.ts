// What reads cost with few and with many objects stored, against the bare SQL that they need.
import { PAGE_LIMIT_MAX } from '../../../contract/http/schemas/fields.js';
import { step } from '../../../tools/bootstrap/progress.mjs';
import { lastClosedDay } from '../../../domain/reconciliation.js';
import { readDay } from '../../../store/reconciliation/days.js';
import { type BenchApi, startApi } from '../api.js';
import type { MeasuredPlayer } from '../database/history.js';
import { observeDatabase, sendAgain, type Statement } from '../database/observed.js';
import { type MeasuredRead, readsOf } from '../database/reads.js';
import { createWorld, type World } from '../database/world.js';
import {
  costOf,
  type Costs,
  inTurns,
  type Measurement,
  median,
  ownProcessorMs,
  percentile,
  ratio,
} from '../measure.js';
import { shown } from '../report.js';
import type { Bench, BenchContext, Figure, Findings } from '../result.js';

const MOST_GROWTH = 1.2;
const MOST_TIMES_BARE_SQL = 3;
/** Each envelope is opened separately: they hold personal data and are sealed one by one. */
const MOST_TIMES_WITH_ENVELOPES = 3.5;
const DAYS = 90;
const PLAYER: MeasuredPlayer = { ref: 'measured', document: '52998224725', payments: 60 };
const FULL = { few: 1_000, many: 300_000, rounds: 120 };
const QUICK = { few: 1_000, many: 5_000, rounds: 5 };
/** The statement that authenticates the request: the same for all reads, and no part of what a read asks. */
const AUTHENTICATION = /authenticate_request/;

interface ReadBenchStack {
  readonly world: World;
  readonly api: BenchApi;
  /** The same, with reads as separate statements. */
  readonly plain: BenchApi;
  readonly reads: readonly MeasuredRead[];
}
type Size = 'few' | 'many';

export const reads: Bench = {
  name: 'reads',
  title: 'Reads with few and with many objects stored, against bare SQL',
  async run({ servers, quick }: BenchContext): Promise<Findings> {
    const sizes = quick ? QUICK : FULL;
    const end = new Date();
    const served: Partial<Record<Size, ReadBenchStack>> = {};
    try {
      for (const size of ['few', 'many'] as const) {
        served[size] = await step(`writing ${sizes[size]} payments with their entries and events`, async () =>
          serve(await servers.newDatabase(), sizes[size], end),
        );
      }
      return await measure(served as Record<Size, ReadBenchStack>, sizes);
    } finally {
      for (const { api, plain, world } of Object.values(served)) {
        await api.close();
        await plain.close();
        await world.close();
      }
    }
  },
};

async function serve(url: string, payments: number, end: Date): Promise<ReadBenchStack> {
  const world = await createWorld(url, { payments, players: [PLAYER], end, days: DAYS, complete: true });
  await readDay(world.observed.database, { operationId: world.operationId, currency: 'BRL' }, lastClosedDay(end), end);
  return {
    world,
    api: await startApi(world),
    plain: await startApi(world, { rides: false }),
    reads: await readsOf(world, PLAYER.ref),
  };
}

async function measure({ few, many }: Record<Size, ReadBenchStack>, sizes: typeof FULL): Promise<Findings> {
  const figures: Figure[] = [];
  for (const [index, read] of many.reads.entries()) {
    const sameOfFew = few.reads[index];
    if (sameOfFew === undefined) throw new Error(`${read.name} is missing in the smaller world`);
    figures.push(...(await step(read.name, () => compare(few, sameOfFew, many, read, sizes.rounds))));
  }
  return {
    figures,
    tables: [],
    remarks: [
      `${sizes.few} objects against ${sizes.many}, ${sizes.rounds} signed requests each, in turns, over HTTP, to ` +
        'the whole api in this process. What is compared is processor time, medians: of client, api and Postgres ' +
        'backend together; the time waited is next to it.',
      'Bare SQL: the statements that the route asked, sent again by the driver alone, with as many rows. ' +
        'Promised for the largest page (of events, whose envelopes are opened one by one, less): fewer rows are ' +
        'cheaper to read than any request is to receive, authenticate and answer.',
    ],
  };
}

async function compare(
  few: ReadBenchStack,
  ofFew: MeasuredRead,
  many: ReadBenchStack,
  ofMany: MeasuredRead,
  rounds: number,
): Promise<Figure[]> {
  const statements = await statementsFor(many, ofMany);
  const bare = observeDatabase(many.world.url);
  try {
    const found = Math.max(...(await sendAgain(bare.pool, statements)).map(({ length }) => length));
    const costs = await inTurns(
      {
        few: requests(few, ofFew),
        many: requests(many, ofMany),
        sql: () => costOf(() => sendAgain(bare.pool, statements), [ownProcessorMs, bare.processorMs]),
      },
      { warmUps: 10, rounds },
    );
    return figuresOf(ofMany, costs, found);
  } finally {
    await bare.close();
  }
}

function figuresOf(
  { name, opensEnvelopes }: MeasuredRead,
  { few, many, sql }: Record<Size | 'sql', Costs>,
  found: number,
): Figure[] {
  const mostTimes = opensEnvelopes ? MOST_TIMES_WITH_ENVELOPES : MOST_TIMES_BARE_SQL;
  return [
    {
      name: `${name}: growth`,
      value: ratio(many.processorMs, few.processorMs),
      unit: '×',
      atMost: MOST_GROWTH,
      note:
        `to ${shown(median(many.processorMs))} ms; waited for: ${shown(ratio(many.waitedMs, few.waitedMs))} × to ` +
        `${shown(median(many.waitedMs))} ms, p99 ${shown(percentile(many.waitedMs, 0.99))} ms`,
    },
    {
      name: `${name}: against bare SQL`,
      value: ratio(many.processorMs, sql.processorMs),
      unit: '×',
      ...(found > PAGE_LIMIT_MAX ? { atMost: mostTimes } : {}),
      note: `waited for: ${shown(ratio(many.waitedMs, sql.waitedMs))} ×`,
    },
  ];
}

/** What the read asks of Postgres beyond authentication. */
async function statementsFor({ world, plain }: ReadBenchStack, read: MeasuredRead): Promise<Statement[]> {
  await read.call(plain.client);
  world.observed.forget();
  await read.call(plain.client);
  return world.observed.statements.filter(({ text }) => !AUTHENTICATION.test(text));
}

function requests({ world, api }: ReadBenchStack, read: MeasuredRead): Measurement {
  return async () => {
    // The measurement is not about limits. The buckets are full again but there, as they are for a client that asks all
    // day.
    await world.client.query(`UPDATE rate_bucket SET theoretical_arrival_time = now() - interval '1 hour'`);
    return costOf(() => read.call(api.client), [ownProcessorMs, world.observed.processorMs]);
  };
}
