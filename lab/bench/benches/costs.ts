// What a deposit and a withdrawal cost every part of the service: history, writes, bytes, processor time.
// docs/scaling.md is computed from it.
import type { GatewayClient } from '../../../client/index.js';
import { step } from '../../../tools/bootstrap/progress.mjs';
import { newPlayer, type TestPlayer } from '../../harness/payments.js';
import { openMeter } from '../meter.js';
import { historyShape } from '../history-shape.js';
import { createOperators, forEach, lifeCycle, type Operators, withdrawalLifeCycle } from '../operations.js';
import { shown } from '../report.js';
import type { Bench, BenchContext, Counters, Figure, Findings } from '../result.js';

const MOST_EVENTS = { deposit: 17, withdrawal: 25 } as const;
type Kind = keyof typeof MOST_EVENTS;
const FULL = { payments: 300, warmUps: 20, atOnce: 4 };
const QUICK = { payments: 10, warmUps: 4, atOnce: 2 };

export const costs: Bench = {
  name: 'costs',
  title: 'What a deposit and a withdrawal cost every part of the service',
  needsTemporal: true,
  async run({ servers, quick, count }: BenchContext): Promise<Findings> {
    const { warmUps, atOnce, ...sizes } = quick ? QUICK : FULL;
    const payments = count ?? sizes.payments;
    const stack = await step('starting a stack', () => servers.startStack());
    const operators = await step('making operations', () => createOperators(stack, 2, [stack.baseUrl]));
    try {
      // A player is one operation's.
      const customers = Array.from({ length: payments + 1 }, (_, index): Customer => ({
        player: newPlayer(),
        client: clientOf(operators, index),
      }));
      const deposit = ({ client, player }: Customer) => lifeCycle(operators, client, player);
      const withdrawal = ({ client, player }: Customer) => withdrawalLifeCycle(operators, client, player);
      const [last, ...measured] = customers as [Customer, ...Customer[]];
      await step('warming up', () =>
        forEach(measured.slice(0, warmUps), atOnce, (customer) => deposit({ ...customer, player: newPlayer() })),
      );
      const meter = await step('watching it do nothing', () => openMeter(servers, stack));
      const found: Record<Kind, Counters> = {
        deposit: await step(`${payments} deposits`, () =>
          meter.costOfOne(payments, () => forEach(measured, atOnce, deposit)),
        ),
        withdrawal: await step(`${payments} withdrawals`, () =>
          meter.costOfOne(payments, () => forEach(measured, atOnce, withdrawal)),
        ),
      };
      const shapes = {
        deposit: await historyShape(stack.temporal, await deposit(last)),
        withdrawal: await historyShape(stack.temporal, await withdrawal(last)),
      };
      const counters = Object.fromEntries(
        (['deposit', 'withdrawal'] as const).flatMap((kind) =>
          named(kind, { ...shapeCounters(shapes[kind]), ...found[kind] }),
        ),
      );
      return {
        figures: (['deposit', 'withdrawal'] as const).flatMap((kind) => figuresOf(kind, counters)),
        tables: [],
        counters,
        remarks: [
          `${payments} of each, ${atOnce} at a time, from the POST to the last webhook; less what the stack does ` +
            'by itself in that time. History is one payment’s. A deposit has two events and two deliveries, a ' +
            'withdrawal three.',
          'The write-ahead log is the whole PostgreSQL server’s: with Temporal over PostgreSQL it is both ' +
            'databases’. Processor time is what the kernel counted; how fast a second of it is hangs on the ' +
            'machine and on its neighbours.',
        ],
      };
    } finally {
      await operators.close();
      await stack.close();
    }
  },
};

interface Customer {
  readonly player: TestPlayer;
  readonly client: GatewayClient;
}

function clientOf({ all }: Operators, turn: number): GatewayClient {
  const client = all[turn % all.length]?.clients[0];
  if (client === undefined) throw new Error('there is no operation');
  return client;
}

function shapeCounters({
  events,
  bytes,
  stateTransitions,
  actions,
}: Awaited<ReturnType<typeof historyShape>>): Counters {
  return { historyEvents: events, historyBytes: bytes, stateTransitions, actions };
}

function named(kind: Kind, counters: Counters): [string, number][] {
  return Object.entries(counters).map(([name, value]) => [`${kind}.${name}`, value]);
}

const SHOWN: readonly (readonly [name: string, what: string, unit: string])[] = [
  ['historyEvents', 'history events', 'events'],
  ['actions', 'Temporal actions', 'actions'],
  ['stateTransitions', 'writes of the workflow’s state', 'writes'],
  ['historyBytes', 'history', 'bytes'],
  ['persistenceRequests', 'requests of Temporal to its persistence', 'requests'],
  ['commits', 'commits of the gateway’s database', 'commits'],
  ['rowsInserted', 'rows inserted', 'rows'],
  ['rowsUpdated', 'rows updated', 'rows'],
  ['gatewayBytes', 'growth of the gateway’s database', 'bytes'],
  ['temporalBytes', 'growth of Temporal’s databases', 'bytes'],
  ['walBytes', 'write-ahead log', 'bytes'],
];

function figuresOf(kind: Kind, counters: Counters): Figure[] {
  const counted = SHOWN.flatMap(([name, what, unit]): Figure[] => {
    const value = counters[`${kind}.${name}`];
    if (value === undefined || value === 0) return [];
    return [
      { name: `${kind}: ${what}`, value, unit, ...(name === 'historyEvents' ? { atMost: MOST_EVENTS[kind] } : {}) },
    ];
  });
  const prefix = `${kind}.processorMs.`;
  const processors = Object.entries(counters)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]): [string, number] => [name.slice(prefix.length), value]);
  const note = processors.map(([name, value]) => `${name} ${shown(value)}`).join(', ');
  return [
    ...counted,
    {
      name: `${kind}: processor time of all parts`,
      value: processors.reduce((sum, [, value]) => sum + value, 0),
      unit: 'ms',
      note,
    },
  ];
}
