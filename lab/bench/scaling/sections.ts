// The tables of docs/scaling.md, computed from the results in var/bench.
import { writeFileSync } from 'node:fs';
import { RATES } from '../../../api/middleware/limits.js';
import { inRoot } from '../../../tools/bootstrap/root.mjs';
import { markdownTable } from '../../../tools/bootstrap/table.mjs';
import { hasResult, keptResult, shown } from '../report.js';
import type { BenchResult } from '../result.js';
import { ASSUMED, capacities, checkSteps, counterOf, demandAt, ofPayment, PARTS, stepSeconds } from './model.js';

/** The results that the model starts from. */
const SOURCES = { costs: 'costs-on-postgres', workers: 'workers-on-postgres', oneOperation: 'one-operation' } as const;

const RATES_SHOWN = [10, 100, 1_000, 10_000] as const;
interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const PAGE = inRoot('var', 'bench', 'scaling.md');

/** Writes what can be computed into var/bench/scaling.md. A person takes it over into docs/scaling.md. */
export function writeScalingTables(): void {
  if (!hasResult(SOURCES.costs)) return;
  const tables = [
    costTable(),
    demandTable(),
    ...(hasResult(SOURCES.oneOperation) ? [capacityTable()] : []),
    ...(hasResult(SOURCES.workers) ? [stepTable()] : []),
  ];
  writeFileSync(
    PAGE,
    `${[...tables.map(({ head, rows }) => markdownTable(head, rows)), sourceLines()].join('\n\n')}\n`,
  );
}

/** What one payment was measured to cost. */
function costTable(): Table {
  const counters = countersOf(SOURCES.costs);
  const row = (what: string, name: string, show: (value: number) => string = shown) => [
    what,
    show(counterOf(counters, `deposit.${name}`)),
    show(counterOf(counters, `withdrawal.${name}`)),
    show(ofPayment(counters, name)),
  ];
  return {
    head: ['', 'a deposit', 'a withdrawal', `a payment (${percent(ASSUMED.depositShare)} deposits)`],
    rows: [
      row('history events', 'historyEvents'),
      row('Temporal actions', 'actions'),
      row('writes of the workflow’s state', 'stateTransitions'),
      row('requests of Temporal to its persistence', 'persistenceRequests'),
      row('commits of the gateway’s database', 'commits'),
      row('rows inserted', 'rowsInserted'),
      row('rows updated', 'rowsUpdated'),
      row('write-ahead log, both databases', 'walBytes', bytes),
      row('growth of the gateway’s database', 'gatewayBytes', bytes),
      row('growth of Temporal’s databases', 'temporalBytes', bytes),
      ...PARTS.map((part) => row(`processor time: ${part}`, `processorMs.${part}`, (value) => `${shown(value)} ms`)),
    ],
  };
}

/** What it takes to carry so many payments per second. */
function demandTable(): Table {
  const counters = countersOf(SOURCES.costs);
  const demands = RATES_SHOWN.map((perSecond) => demandAt(perSecond, counters));
  const row = (what: string, show: (demand: (typeof demands)[number]) => string) => [what, ...demands.map(show)];
  return {
    head: ['payments per second', ...RATES_SHOWN.map(thousands)],
    rows: [
      ...PARTS.map((part) => row(`processors: ${part}`, ({ processors }) => thousands(Math.ceil(processors[part])))),
      row('requests to Temporal’s persistence per second', ({ persistencePerSecond }) =>
        thousands(persistencePerSecond),
      ),
      row('history shards, at least, over all cells', ({ historyShards }) => thousands(historyShards)),
      row('commits of the gateway’s database per second', ({ commitsPerSecond }) => thousands(commitsPerSecond)),
      row('write-ahead log per second', ({ walBytesPerSecond }) => bytes(walBytesPerSecond)),
      row('growth of the gateway’s database per day', ({ gatewayBytesPerDay }) => bytes(gatewayBytesPerDay)),
      row(`Temporal’s databases, ${ASSUMED.retentionDays} days kept`, ({ temporalBytesKept }) =>
        bytes(temporalBytesKept),
      ),
      row('a partition of the growing tables holds', ({ partition }) => partition),
      [
        'operations, at least',
        ...RATES_SHOWN.map((perSecond) => thousands(Math.ceil(perSecond / RATES.operationWrite.perSecond))),
      ],
      row('cells', ({ cells }) => thousands(cells)),
    ],
  };
}

/** What one of each carries, the weakest first. */
function capacityTable(): Table {
  const limits = {
    writesOfAnOperation: RATES.operationWrite.perSecond,
    transitionsOfAnOperation: counterOf(countersOf(SOURCES.oneOperation), 'oneOperation.transitionsPerSecond'),
  };
  const all = capacities(countersOf(SOURCES.costs), limits);
  return {
    head: ['what', 'payments per second', 'what happens then'],
    rows: all.map(({ what, perSecond, then }) => [what, thousands(perSecond), then]),
  };
}

/** The measured steps of worker processes, and what their processor time allows. */
function stepTable(): Table {
  return {
    head: ['worker processes', 'measured, deposits per second', 'computed from processor time', 'measured ÷ computed'],
    rows: checkSteps(countersOf(SOURCES.workers)).map(
      ({ workers, measuredPerSecond: measured, computedPerSecond: computed }) => [
        String(workers),
        shown(measured),
        shown(computed),
        shown(measured / computed),
      ],
    ),
  };
}

/** Where the figures come from. */
function sourceLines(): string {
  const lines = Object.values(SOURCES)
    .filter(hasResult)
    .map((name) => {
      const { ranAt, machine } = keptResult(name);
      return `* \`${name}.json\`: ${ranAt.slice(0, 10)}, ${machine}`;
    });
  const took = hasResult(SOURCES.costs)
    ? [
        '* one write of a workflow’s state took Temporal’s persistence ' +
          `${shown(stepSeconds(countersOf(SOURCES.costs)) * 1_000)} ms on average`,
      ]
    : [];
  return [...lines, ...took].join('\n');
}

function countersOf(name: string): NonNullable<BenchResult['counters']> {
  const { counters } = keptResult(name);
  if (counters === undefined) throw new Error(`${name}.json has no counters: run it again`);
  return counters;
}

const percent = (share: number) => `${shown(share * 100)} %`;
const thousands = (value: number) => (value < 10 ? shown(value) : Math.round(value).toLocaleString('en-US'));

function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  return `${shown(value / 10 ** (3 * step))} ${units[step]}`;
}
