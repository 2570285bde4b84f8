// Deposits against bare Temporal: throughput of whole life cycles, the creation's latency, a signed read, and how soon
// events reach the operator.
import { step } from '../../../tools/bootstrap/progress.mjs';
import { newDeposit, once } from '../../harness/payments.js';
import { type Baseline, connectBaseline } from '../baseline/client.js';
import type { BareHalf } from '../baseline/workflows.js';
import { historyShape, type HistoryShape } from '../history-shape.js';
import { inTurns, median, percentile, type Rate, rateOf, ratio, resultsInTurns, timedOnly } from '../measure.js';
import { createOperators, lifeCycle, type Operators } from '../operations.js';
import { shown } from '../report.js';
import type { Bench, BenchContext, Figure, Findings } from '../result.js';

const LEAST_THROUGHPUT_OF_CHEAPEST = 0.7;
const MOST_FOR_A_CREATION = 1.8;
const MOST_FOR_A_READ = 1.5;
/** One update-with-start and one empty local activity. */
const ONE_ACTIVITY = { local: 1, regular: 0 };
/** The cheapest life that does a deposit's work: everything local, 18 history events. */
const CHEAPEST = { before: { local: 3, regular: 0 }, after: { local: 4, regular: 0 } };
const NOTHING = { local: 0, regular: 0 };

/**
 * A cold gateway makes a quarter fewer lives per second than one whose code V8 has optimised, and the bare workflow has
 * less code to warm up: so the first chunks do not count.
 */
const FULL = { rounds: 60, warmUps: 10, warmUpChunks: 2, chunks: 7, chunkSeconds: 8, atOnce: 8 };
const QUICK = { rounds: 3, warmUps: 1, warmUpChunks: 0, chunks: 1, chunkSeconds: 2, atOnce: 2 };

export const lifeCycles: Bench = {
  name: 'life-cycles',
  title: 'Deposits against bare Temporal: throughput, creation, read, and event to webhook',
  needsTemporal: true,
  async run({ servers, quick }: BenchContext): Promise<Findings> {
    const sizes = quick ? QUICK : FULL;
    const stack = await step('starting a stack', () => servers.startStack());
    const closing: (() => Promise<void>)[] = [];
    try {
      const { url: baselineUrl } = await step('starting the baseline', () => stack.another('lab/bench/baseline'));
      const baseline = await connectBaseline(stack.temporal);
      closing.push(() => baseline.close());
      const operators = await step('making operations', () =>
        createOperators(stack, operatorsFor(sizes), [stack.baseUrl]),
      );
      closing.push(() => operators.close());
      const id = await step('a deposit to compare with', () => lifeCycle(operators, clientOf(operators, 0)));
      const shape = await historyShape(stack.temporal, id);
      const figures = [
        await step('creation', () => creation(operators, baseline, sizes)),
        await step('read', () => read(operators, baseline, baselineUrl, sizes)),
        ...(await step('life cycles', () => throughput(operators, baseline, shape, sizes))),
      ];
      return { figures, tables: [], remarks: remarks(shape, sizes) };
    } finally {
      for (const close of closing.reverse()) await close();
      await stack.close();
    }
  },
};

function remarks(
  { before, after, events }: HistoryShape,
  { warmUpChunks, chunks, chunkSeconds, atOnce }: typeof FULL,
): string[] {
  return [
    'Temporal and PostgreSQL of the run’s own; api, worker, simulator and the baseline’s worker are processes of ' +
      'their own; everything shares this machine with the client.',
    'Cheapest shape: update-with-start with three empty local activities, a signal, four more: 18 history events. ' +
      'Nothing that does the same work can cost less.',
    `Same shape: update-with-start with ${before.regular} empty activities and ${before.local} ` +
      `local ones, a signal, ${after.regular} and ${after.local} more, as a deposit’s history of ${events} events ` +
      `has them. ${atOnce} at once, ${chunks} × ${chunkSeconds} s each, in turns, after ${warmUpChunks} × ` +
      `${chunkSeconds} s to warm up.`,
  ];
}

/** Writes of one operation are limited; so many operations that the limit is not what is measured. */
function operatorsFor({ atOnce }: typeof FULL): number {
  return Math.max(1, Math.ceil(atOnce / 4));
}

function clientOf({ all }: Operators, number: number) {
  const client = all[number % all.length]?.clients[0];
  if (client === undefined) throw new Error('there is no operation');
  return client;
}

async function creation(operators: Operators, baseline: Baseline, { rounds, warmUps }: typeof FULL): Promise<Figure> {
  const { ours, bare } = await inTurns(
    {
      ours: timedOnly(() => clientOf(operators, 0).createDeposit(newDeposit(), once())),
      bare: timedOnly(() => baseline.open(ONE_ACTIVITY, NOTHING)),
    },
    { warmUps, rounds },
  );
  return {
    name: 'POST /deposits against update-with-start with one empty local activity',
    value: ratio(ours.waitedMs, bare.waitedMs),
    unit: '×',
    atMost: MOST_FOR_A_CREATION,
    note:
      `median ${shown(median(ours.waitedMs))} ms, p99 ${shown(percentile(ours.waitedMs, 0.99))} ms; bare ` +
      `${shown(median(bare.waitedMs))} ms, p99 ${shown(percentile(bare.waitedMs, 0.99))} ms`,
  };
}

async function read(
  operators: Operators,
  baseline: Baseline,
  baselineUrl: string,
  { rounds, warmUps }: typeof FULL,
): Promise<Figure> {
  const client = clientOf(operators, 0);
  const { id } = (await client.createDeposit(newDeposit(), once())).body;
  const { workflowId } = await baseline.open(NOTHING, NOTHING);
  const askBare = async () => {
    const response = await fetch(`${baselineUrl}/query/${workflowId}`);
    await response.json();
  };
  const { ours, bare } = await inTurns(
    { ours: timedOnly(() => client.getDeposit(id)), bare: timedOnly(askBare) },
    { warmUps, rounds: rounds * 3 },
  );
  return {
    name: 'signed GET /deposits/{id} of a pending deposit against a bare handler with one query',
    value: ratio(ours.waitedMs, bare.waitedMs),
    unit: '×',
    atMost: MOST_FOR_A_READ,
    note: `median ${shown(median(ours.waitedMs))} ms; bare ${shown(median(bare.waitedMs))} ms`,
  };
}

async function throughput(
  operators: Operators,
  baseline: Baseline,
  { before, after, events }: HistoryShape,
  { warmUpChunks, chunks, chunkSeconds, atOnce }: typeof FULL,
): Promise<Figure[]> {
  const bareLife = (half: BareHalf, rest: BareHalf) => async () => baseline.finish(await baseline.open(half, rest));
  let client = 0;
  const rateOfLives = (life: () => Promise<unknown>) => () => rateOf(life, atOnce, chunkSeconds);
  const lives = {
    ours: rateOfLives(() => lifeCycle(operators, clientOf(operators, (client += 1)))),
    cheapest: rateOfLives(bareLife(CHEAPEST.before, CHEAPEST.after)),
    bare: rateOfLives(bareLife(before, after)),
  };
  await resultsInTurns(lives, warmUpChunks, -warmUpChunks);
  operators.receiver.forget();
  const rates = await resultsInTurns(lives, chunks);
  const { latencies } = operators.receiver;
  const perSecond = (all: readonly Rate[]) => all.map((rate) => rate.perSecond);
  const failed = (all: readonly Rate[]) => all.reduce((sum, rate) => sum + rate.failed, 0);
  const [ours, cheapest, bare] = [perSecond(rates.ours), perSecond(rates.cheapest), perSecond(rates.bare)];
  return [
    {
      name: 'life cycles per second against the cheapest bare shape',
      value: ratio(ours, cheapest),
      unit: '×',
      atLeast: LEAST_THROUGHPUT_OF_CHEAPEST,
      note:
        `${shown(median(ours))} /s; cheapest ${shown(median(cheapest))} /s; failed: ${failed(rates.ours)} and ` +
        `${failed(rates.cheapest)}`,
    },
    {
      name: 'life cycles per second against a bare workflow of the same shape',
      value: ratio(ours, bare),
      unit: '×',
      note: `${shown(median(ours))} /s; bare ${shown(median(bare))} /s; failed: ${failed(rates.bare)}`,
    },
    { name: 'history events of the deposit’s workflow', value: events, unit: 'events' },
    {
      name: 'event to webhook under that load, median',
      value: median(latencies),
      unit: 'ms',
      note: `p99 ${shown(percentile(latencies, 0.99))} ms, ${latencies.length} events`,
    },
  ];
}
