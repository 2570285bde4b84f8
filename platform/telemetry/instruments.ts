// The instruments of the metrics table. They belong to the process, as the clock does, so that counting needs no
// wiring.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type LabelsOf, METRICS, type MetricName, type MetricOf, type MetricProcess } from './metrics.js';

/** Content type of an exposition. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Instrument = Counter | Gauge | Histogram;

const instruments = new Map<string, Instrument>();

function instrumentOf(name: MetricName): Instrument {
  const known = instruments.get(name);
  if (known !== undefined) return known;
  const definition = METRICS[name];
  const options = { name, help: definition.help, labelNames: Object.keys(definition.labels), registers: [] };
  const made =
    definition.type === 'counter'
      ? new Counter(options)
      : definition.type === 'gauge'
        ? new Gauge(options)
        : new Histogram({ ...options, buckets: [...definition.buckets] });
  instruments.set(name, made);
  return made;
}

/** Adds to a counter: one, where no number is given. */
export function count<Name extends MetricOf<'counter'>>(name: Name, labels: LabelsOf<Name>, number = 1): void {
  (instrumentOf(name) as Counter).inc(labels, number);
}

/** Shows a total that is counted elsewhere, in the database: it survives the process, and every process shows it. */
export function showTotal<Name extends MetricOf<'counter'>>(name: Name, labels: LabelsOf<Name>, total: number): void {
  const counter = instrumentOf(name) as Counter;
  counter.remove(labels);
  counter.inc(labels, total);
}

/** Adds a duration to a histogram. */
export function observeSeconds<Name extends MetricOf<'histogram'>>(
  name: Name,
  labels: LabelsOf<Name>,
  seconds: number,
): void {
  (instrumentOf(name) as Histogram).observe(labels, seconds);
}

/** Sets a gauge. */
export function setGauge<Name extends MetricOf<'gauge'>>(name: Name, labels: LabelsOf<Name>, value: number): void {
  (instrumentOf(name) as Gauge).set(labels, value);
}

/** Forgets every series of a gauge: what could not be read is not shown. */
export function clearGauge(name: MetricOf<'gauge'>): void {
  (instrumentOf(name) as Gauge).reset();
}

/** Shows how a process's pool of database connections is used. */
export function showPool(usage: {
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
  readonly heldBack: number;
  readonly limit: number;
}): void {
  for (const state of ['busy', 'idle', 'waiting'] as const)
    setGauge('gateway_database_connections', { state }, usage[state]);
  setGauge('gateway_database_connections_limit', {}, usage.limit);
  setGauge('gateway_database_share_waiting', {}, usage.heldBack);
}

/**
 * The exposition of one process: its metrics of the table and Node's own. `refresh` sets gauges before each scrape; its
 * author must bound it.
 */
export function exposition(
  process: MetricProcess,
  refresh: () => Promise<void> = () => Promise.resolve(),
): () => Promise<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const own = (Object.keys(METRICS) as MetricName[]).filter((name) =>
    (METRICS[name].processes as readonly MetricProcess[]).includes(process),
  );
  for (const name of own) registry.registerMetric(instrumentOf(name));
  return async () => {
    await refresh();
    return registry.metrics();
  };
}
