// Life cycles with one, two and four worker processes: what more workers bring on this machine, and what a life cycle
// costs each part in processor time, which is what carries over to another.
import { cpus } from 'node:os';
import { ALL_TASK_QUEUES } from '../../../contract/temporal/workers.js';
import { step } from '../../../tools/bootstrap/progress.mjs';
import type { Node } from '../../harness/node.js';
import type { Stack } from '../../harness/stack.js';
import { processorSeconds } from '../processor-use.js';
import { median, rateOf } from '../measure.js';
import { createOperators, lifeCycle, type Operators } from '../operations.js';
import { shown } from '../report.js';
import type { Bench, BenchContext, Figure, Findings } from '../result.js';

const STEPS = [1, 2, 4] as const;
const FULL = { rounds: 3, seconds: 15, atOnce: 12, operations: 2 };
const QUICK = { rounds: 1, seconds: 3, atOnce: 4, operations: 1 };

/** One stretch of load with that many workers. */
interface Stretch {
  readonly workers: number;
  readonly perSecond: number;
  readonly failed: number;
  /** Milliseconds per life cycle, by process. */
  readonly processorMs: ReadonlyMap<string, number>;
}

export const workers: Bench = {
  name: 'workers',
  title: 'Deposits with one, two and four worker processes',
  needsTemporal: true,
  async run({ servers, quick, count }: BenchContext): Promise<Findings> {
    const preset = quick ? QUICK : FULL;
    const sizes = { ...preset, rounds: count ?? preset.rounds };
    const stack = await step('starting a stack', () => servers.startStack());
    const operators = await step('making operations', () => createOperators(stack, sizes.operations, [stack.baseUrl]));
    try {
      const stretches: Stretch[] = [];
      for (let round = 0; round < sizes.rounds; round += 1) {
        // Up, then down, so that changes over time affect all of them.
        for (const number of round % 2 === 0 ? STEPS : [...STEPS].reverse())
          stretches.push(await step(workersOf(number), () => withWorkers(stack, operators, number, sizes)));
      }
      return findings(stretches, sizes);
    } finally {
      await operators.close();
      await stack.close();
    }
  },
};

async function withWorkers(
  stack: Stack,
  operators: Operators,
  count: number,
  { seconds, atOnce }: typeof FULL,
): Promise<Stretch> {
  const more: Node[] = [];
  try {
    for (let number = 2; number <= count; number += 1) more.push(await stack.addWorker(ALL_TASK_QUEUES));
    const clients = operators.all.flatMap((operator) => operator.clients);
    let turn = 0;
    const one = () => lifeCycle(operators, clients[(turn += 1) % clients.length] as (typeof clients)[number]);
    // What is not up to it yet is not judged.
    await Promise.all(Array.from({ length: atOnce }, () => one().catch(() => undefined)));
    const before = await processorSeconds();
    const { perSecond, done, failed } = await rateOf(one, atOnce, seconds);
    const after = await processorSeconds();
    const processorMs = new Map(
      [...after].map(([name, spent]) => [name, (Math.max(0, spent - (before.get(name) ?? 0)) * 1_000) / done]),
    );
    return { workers: count, perSecond, failed, processorMs };
  } finally {
    await Promise.all(more.map((worker) => worker.stop()));
  }
}

function findings(stretches: readonly Stretch[], { rounds, seconds, atOnce }: typeof FULL): Findings {
  const of = (count: number) => stretches.filter((stretch) => stretch.workers === count);
  const perSecond = (count: number) => median(of(count).map((stretch) => stretch.perSecond));
  const processorMs = (count: number, name: string) =>
    median(of(count).map((stretch) => stretch.processorMs.get(name) ?? 0));
  const names = [...(stretches[0]?.processorMs.keys() ?? [])];
  const total = (count: number) => names.reduce((sum, name) => sum + processorMs(count, name), 0);
  const figures = STEPS.flatMap((count): Figure[] => [
    {
      name: `life cycles per second, ${workersOf(count)}`,
      value: perSecond(count),
      unit: '/s',
      note:
        `${shown(perSecond(count) / perSecond(1))} × one worker’s; failed: ` +
        `${of(count).reduce((sum, { failed }) => sum + failed, 0)}`,
    },
    {
      name: `life cycles per second of processor time, ${workersOf(count)}`,
      value: 1_000 / total(count),
      unit: '/s',
      note: 'all processes, the load generator and receiver among them',
    },
  ]);
  const counters = Object.fromEntries(
    STEPS.flatMap((count) => [
      [`workers.${count}.perSecond`, perSecond(count)],
      [`workers.${count}.processorMs`, total(count)],
    ]),
  );
  return {
    figures,
    tables: [
      {
        title: 'Processor time per life cycle, in ms',
        head: ['process', ...STEPS.map(workersOf)],
        rows: names.map((name) => [name, ...STEPS.map((count) => shown(processorMs(count, name)))]),
      },
    ],
    counters: { ...counters, 'workers.processors': cpus().length },
    remarks: [
      `Each number of workers ${rounds} × ${seconds} s, in turns, ${atOnce} deposits at once, medians; each ` +
        'worker serves all task queues.',
      `${cpus().length} processors carry everything, the load too: once they are used up, more workers cannot ` +
        'bring more. What carries over to another machine is the processor time per life cycle.',
    ],
  };
}

function workersOf(count: number): string {
  return count === 1 ? 'one worker' : `${count} workers`;
}
