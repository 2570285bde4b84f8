// Sustained mixed load on a whole stack with two api processes, at growing shares of the contract's own limits, until
// it does not keep up: what is offered, what is served, how long it takes, and what gives way.
import { cpus, loadavg } from 'node:os';
import { step } from '../../../tools/bootstrap/progress.mjs';
import { RATES } from '../../../api/middleware/limits.js';
import type { Bench, BenchContext } from '../bench.js';
import { drive, type LoadRecord } from '../load/drive.js';
import { processorSeconds, type ProcessorSeconds, shareOfProcessors } from '../load/processor-use.js';
import { median, percentile, type Samples } from '../measure.js';
import { createOperators, lifeCycle, type Operators } from '../operations.js';
import { shown } from '../report.js';
import type { DetailTable, Figure, Findings } from '../result.js';

/** Of every request offered; below it the service does not keep up. */
const KEEPS_UP = 0.98;
const FULL = { operations: 3, shares: [0.01, 0.02, 0.04, 0.08, 0.16], seconds: 30 };
const QUICK = { operations: 2, shares: [0.01], seconds: 5 };

interface Level {
  readonly share: number;
  readonly record: LoadRecord;
  readonly latencies: Samples;
  readonly processors: readonly [string, number][];
  /** Of requests: offered and served. */
  readonly offered: number;
  readonly served: number;
}

export const load: Bench = {
  name: 'load',
  title: 'Mixed load at shares of the contract’s limits, two api processes',
  needsTemporal: true,
  async run({ servers, quick }: BenchContext): Promise<Findings> {
    const { operations, shares, seconds } = quick ? QUICK : FULL;
    const stack = await step('starting a stack', () => servers.startStack());
    const closing: (() => Promise<void>)[] = [];
    try {
      const second = await step('a second api process', () => stack.another('api'));
      const operators = await step('making operations', () =>
        createOperators(stack, operations, [stack.baseUrl, `${second.url}/v1`]),
      );
      closing.push(() => operators.close());
      await step('warming up', () => warmUp(operators));
      const before = loadavg()[0] ?? 0;
      const levels: Level[] = [];
      for (const share of shares) {
        const level = await step(`${percent(share)} of the limits`, () => measure(operators, share, seconds));
        levels.push(level);
        if (!keepsUp(level)) break;
      }
      return findings(levels, operations, seconds, before);
    } finally {
      for (const close of closing.reverse()) await close();
      await stack.close();
    }
  },
};

/** One after the other; what the stack cannot do yet is not judged here. */
async function warmUp(operators: Operators): Promise<void> {
  for (const client of operators.all.flatMap(({ clients }) => clients))
    await lifeCycle(operators, client).catch(() => undefined);
}

async function measure(operators: Operators, share: number, seconds: number): Promise<Level> {
  operators.receiver.forget();
  const before: ProcessorSeconds = await processorSeconds();
  const startedAt = performance.now();
  const record = await drive(operators, share, seconds);
  const took = (performance.now() - startedAt) / 1_000;
  const processors = shareOfProcessors(before, await processorSeconds(), took);
  const sum = (of: 'offered' | 'served') => [...record.values()].reduce((total, route) => total + route[of], 0);
  return {
    share,
    record,
    latencies: [...operators.receiver.latencies],
    processors,
    offered: sum('offered'),
    served: sum('served'),
  };
}

/** Refusals by state or rule are answers; what was not answered, or only that it cannot be, is not. */
function keepsUp({ record, offered }: Level): boolean {
  const failures = [...record.values()].flatMap(({ errors }) => [...errors]).filter(([code]) => FAILURES.has(code));
  return failures.reduce((sum, [, count]) => sum + count, 0) <= offered * (1 - KEEPS_UP);
}
const FAILURES: ReadonlySet<string> = new Set([
  'no_answer',
  'not_sent',
  'service_unavailable',
  'internal_error',
  'rate_limited',
]);

function findings(levels: readonly Level[], operations: number, seconds: number, loadBefore: number): Findings {
  const best = levels.filter(keepsUp).at(-1) ?? levels[0];
  if (best === undefined) throw new Error('nothing was measured');
  const full = operations * (RATES.operationWrite.perSecond + RATES.keyRead.perSecond);
  const unanswered = levels.find((level) => !keepsUp(level));
  const [first] = (unanswered ?? best).processors;
  const used = (unanswered ?? best).processors.reduce((sum, [, share]) => sum + share, 0);
  const figures: Figure[] = [
    {
      name: 'share of the contract’s limits that is carried',
      value: best.share * 100,
      unit: '%',
      note: `${shown(best.offered / seconds)} of ${full} requests per second for ${operations} operations`,
    },
    {
      name: 'served, of what was offered at that share',
      value: (best.served / best.offered) * 100,
      unit: '%',
      note: `${best.served} of ${best.offered}; the rest were refused by state or rule, see the table`,
    },
    ...(best.latencies.length === 0
      ? []
      : [
          {
            name: 'event to webhook, median',
            value: median(best.latencies),
            unit: 'ms',
            note: `p99 ${shown(percentile(best.latencies, 0.99))} ms, ${best.latencies.length} events`,
          },
        ]),
  ];
  return {
    figures,
    tables: [...levels.map(levelTable), processorTable(levels)],
    remarks: [
      `Each of ${operations} operations writes and reads at its own limits (${RATES.operationWrite.perSecond} ` +
        `POST/s; ${RATES.keyRead.perSecond} GET/s, ${RATES.keyListing.perSecond} of them lists), scaled by the ` +
        `share, for ${seconds} s each, sent when due whether or not earlier ones were answered; latency counts ` +
        'from when a request was due. Six in ten deposits are paid at the provider.',
      `${cpus().length} processors carry the api (two processes), worker, simulator, Temporal, PostgreSQL and ` +
        `the load itself; their load average before was ${shown(loadBefore)}.`,
      unanswered === undefined
        ? `No share that was tried was too much; at the highest the processors were used to ${percent(used)}, most ` +
          `by ${first?.[0] ?? '–'} (${percent(first?.[1] ?? 0)}).`
        : `At ${percent(unanswered.share)} it did not keep up: processors used by the stack to ${percent(used)}, ` +
          `most by ${first?.[0] ?? '–'} (${percent(first?.[1] ?? 0)}).`,
    ],
  };
}

function levelTable({ share, record, latencies }: Level): DetailTable {
  const rows = [...record].map(([name, { offered, served, latencies: own, errors }]) => [
    name,
    String(offered),
    String(served),
    own.length === 0 ? '–' : shown(median(own)),
    own.length === 0 ? '–' : shown(percentile(own, 0.99)),
    [...errors].map(([code, count]) => `${code} ${count}`).join(', '),
  ]);
  const webhooks =
    latencies.length === 0
      ? []
      : [
          [
            'event to webhook',
            '',
            String(latencies.length),
            shown(median(latencies)),
            shown(percentile(latencies, 0.99)),
            '',
          ],
        ];
  return {
    title: `${percent(share)} of the limits`,
    head: ['request', 'offered', 'served', 'p50 ms', 'p99 ms', 'other answers'],
    rows: [...rows, ...webhooks],
  };
}

function processorTable(levels: readonly Level[]): DetailTable {
  const names = (levels.at(-1)?.processors ?? []).map(([name]) => name);
  const rows = names.map((name) => [
    name,
    ...levels.map(({ processors }) => percent(processors.find(([one]) => one === name)?.[1] ?? 0)),
  ]);
  return {
    title: 'Share of all processors',
    head: ['process', ...levels.map(({ share }) => `at ${percent(share)}`)],
    rows,
  };
}

function percent(share: number): string {
  return `${shown(share * 100)} %`;
}
