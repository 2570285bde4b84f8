// The capacity model: what payments per second need, computed from what one payment was measured to cost.
import type { Counters } from '../result.js';

/** What is assumed, not measured. */
export const ASSUMED = {
  /** Of the payments; the others are withdrawals. */
  depositShare: 0.8,
  /** Of a processor, so that a burst and a lost node find room. */
  processorUse: 0.6,
  /** Of a history shard's time: its workflows are written one after the other. */
  shardUse: 0.2,
  /** A large database server's. */
  databaseProcessors: 32,
  /** Temporal keeps an ended workflow that long. */
  retentionDays: 3,
  /** A partition that can still be indexed, vacuumed and restored within an hour or so. */
  partitionBytes: 100e9,
} as const;

/** The parts of the service that use processors, as the counters name them. */
export const PARTS = ['api', 'worker', 'Temporal', 'PostgreSQL for Temporal', 'PostgreSQL'] as const;
export type Part = (typeof PARTS)[number];

/** Of a payment, deposits and withdrawals weighed by their share. Throws when the counters lack it. */
export function ofPayment(counters: Counters, name: string): number {
  const { depositShare } = ASSUMED;
  return (
    counterOf(counters, `deposit.${name}`) * depositShare +
    counterOf(counters, `withdrawal.${name}`) * (1 - depositShare)
  );
}

export function counterOf(counters: Counters, name: string): number {
  const value = counters[name];
  if (value === undefined) throw new Error(`the results of the benchmarks have no ${name}: run them again`);
  return value;
}

/** Changes of a payment, which take the operation's counter row: a deposit's insertion, too, though it has no event. */
const CHANGES = { deposit: 3, withdrawal: 3 } as const;

export interface Demand {
  /** Processors at the assumed use, by part. */
  readonly processors: Readonly<Record<Part, number>>;
  readonly persistencePerSecond: number;
  readonly historyShards: number;
  readonly commitsPerSecond: number;
  readonly walBytesPerSecond: number;
  readonly gatewayBytesPerDay: number;
  readonly temporalBytesKept: number;
  /** The longest partition of the growing tables that stays below the assumed size. */
  readonly partition: string;
  /** Whole copies of the databases (and Temporal clusters), operations divided among them. */
  readonly cells: number;
}

const DAY_SECONDS = 86_400;
const PARTITIONS: readonly (readonly [name: string, days: number])[] = [
  ['a month', 30],
  ['a week', 7],
  ['a day', 1],
  ['six hours', 0.25],
];

/** What it takes to carry so many payments per second, all day long. */
export function demandAt(perSecond: number, counters: Counters): Demand {
  const of = (name: string) => perSecond * ofPayment(counters, name);
  const processors = Object.fromEntries(
    PARTS.map((part) => [part, of(`processorMs.${part}`) / 1_000 / ASSUMED.processorUse]),
  ) as Record<Part, number>;
  const gatewayBytesPerDay = of('gatewayBytes') * DAY_SECONDS;
  const largest = Math.max(processors.PostgreSQL, processors['PostgreSQL for Temporal']);
  const cells = Math.ceil(largest / ASSUMED.databaseProcessors);
  return {
    processors,
    persistencePerSecond: of('persistenceRequests'),
    historyShards: powerOfTwoFrom((of('stateTransitions') * stepSeconds(counters)) / ASSUMED.shardUse),
    commitsPerSecond: of('commits'),
    walBytesPerSecond: of('walBytes'),
    gatewayBytesPerDay,
    temporalBytesKept: of('temporalBytes') * DAY_SECONDS * ASSUMED.retentionDays,
    partition:
      PARTITIONS.find(([, days]) => (gatewayBytesPerDay / cells) * days <= ASSUMED.partitionBytes)?.[0] ?? 'an hour',
    cells,
  };
}

/** What Temporal's persistence took for one write of a workflow's state. */
export function stepSeconds(counters: Counters): number {
  return ofPayment(counters, 'persistenceStepSeconds') / ofPayment(counters, 'persistenceSteps');
}

function powerOfTwoFrom(least: number): number {
  return 2 ** Math.max(2, Math.ceil(Math.log2(least)));
}

export interface Capacity {
  readonly what: string;
  readonly perSecond: number;
  readonly then: string;
}

export interface Limits {
  /** `POST`s per second that the contract allows one operation. */
  readonly writesOfAnOperation: number;
  /** Measured: transitions per second at one operation's counter row. */
  readonly transitionsOfAnOperation: number;
}

/** Payments per second that one of each carries, the smallest first: there it breaks first. */
export function capacities(counters: Counters, { writesOfAnOperation, transitionsOfAnOperation }: Limits): Capacity[] {
  const changes = CHANGES.deposit * ASSUMED.depositShare + CHANGES.withdrawal * (1 - ASSUMED.depositShare);
  const processors = (part: Part, count: number) =>
    (count * ASSUMED.processorUse * 1_000) / ofPayment(counters, `processorMs.${part}`);
  const server = `${ASSUMED.databaseProcessors} processors`;
  const all: Capacity[] = [
    {
      what: 'one api process (one processor)',
      perSecond: processors('api', 1),
      then: 'one more process; they share nothing',
    },
    {
      what: 'one worker process (one processor)',
      perSecond: processors('worker', 1),
      then: 'one more process, of the queue that is behind',
    },
    {
      what: 'one operation: the contract’s limit of its POSTs',
      perSecond: writesOfAnOperation,
      then: '429 for that operation alone',
    },
    {
      what: 'one operation: transitions at its counter row',
      perSecond: transitionsOfAnOperation / changes,
      then: 'that operation’s transitions wait for one another; split it, or number its events in several rows',
    },
    {
      what: `the gateway’s PostgreSQL (${server})`,
      perSecond: processors('PostgreSQL', ASSUMED.databaseProcessors),
      then: 'a second cell',
    },
    {
      what: `Temporal’s PostgreSQL (${server})`,
      perSecond: processors('PostgreSQL for Temporal', ASSUMED.databaseProcessors),
      then: 'a second cell, or a persistence that scales out (Cassandra)',
    },
  ];
  return all.sort((a, b) => a.perSecond - b.perSecond);
}

export interface StepCheck {
  readonly workers: number;
  readonly measuredPerSecond: number;
  /** All processors, nothing else to do: processor time per life cycle, the load's own too. */
  readonly computedPerSecond: number;
}

/** The measured steps of worker processes against what their processor time allows on that machine. */
export function checkSteps(counters: Counters): StepCheck[] {
  const processors = counterOf(counters, 'workers.processors');
  return [1, 2, 4].map((workers) => ({
    workers,
    measuredPerSecond: counterOf(counters, `workers.${workers}.perSecond`),
    computedPerSecond: (processors * 1_000) / counterOf(counters, `workers.${workers}.processorMs`),
  }));
}
