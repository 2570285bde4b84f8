// Measuring on a machine that is busy with other things: everything that is compared takes turns within one run, and
// it is reported as medians, tails and ratios of medians. Processor time is counted in addition to the time waited.

/** Measurements of one thing, in milliseconds unless its name says otherwise. */
export type Samples = readonly number[];

/** The value below which `fraction` of the samples lie (nearest rank). Throws for no samples. */
export function percentile(samples: Samples, fraction: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(fraction * sorted.length) - 1))];
  if (value === undefined) throw new RangeError('there are no samples');
  return value;
}

export const median = (samples: Samples): number => percentile(samples, 0.5);

/** How many times the median of the other. */
export function ratio(samples: Samples, baseline: Samples): number {
  return median(samples) / median(baseline);
}

/**
 * What one call cost: how long its caller waited, and the processor time that it took, which neighbours do not change.
 */
export interface Cost {
  readonly waitedMs: number;
  readonly processorMs: number;
}

/** Measures once. */
export type Measurement = () => Promise<Cost>;

export interface Turns {
  readonly warmUps: number;
  readonly rounds: number;
}

export interface Costs {
  readonly waitedMs: Samples;
  readonly processorMs: Samples;
}

/** Has every measurement take its turn in each round; who begins changes from round to round. */
export async function inTurns<Name extends string>(
  measurements: Readonly<Record<Name, Measurement>>,
  { warmUps, rounds }: Turns,
): Promise<Record<Name, Costs>> {
  await resultsInTurns(measurements, warmUps, -warmUps);
  const costs = await resultsInTurns(measurements, rounds);
  const split = (own: readonly Cost[]): Costs => ({
    waitedMs: own.map(({ waitedMs }) => waitedMs),
    processorMs: own.map(({ processorMs }) => processorMs),
  });
  const names = Object.keys(costs) as Name[];
  return Object.fromEntries(names.map((name) => [name, split(costs[name])])) as unknown as Record<Name, Costs>;
}

/**
 * What every work answered, round by round in turns. Who begins changes from round to round: `from` is the number of
 * the first.
 */
export async function resultsInTurns<Name extends string, Result>(
  works: Readonly<Record<Name, () => Promise<Result>>>,
  rounds: number,
  from = 0,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(works) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as unknown as Record<Name, Result[]>;
  for (let round = from; round < from + rounds; round += 1) {
    const first = Math.abs(round) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) results[name].push(await works[name]());
  }
  return results;
}

/** A count of processor milliseconds that only rises; null where it cannot be read. */
export type ProcessorClock = () => number | null;

/** This process's own. */
export const ownProcessorMs: ProcessorClock = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** The cost of a call by these clocks. Without such a clock, the wait is used as the processor time. */
export async function costOf(call: () => Promise<unknown>, clocks: readonly ProcessorClock[]): Promise<Cost> {
  const total = () => clocks.reduce<number | null>((sum, clock) => add(sum, clock()), 0);
  const before = total();
  const startedAt = performance.now();
  await call();
  const waitedMs = performance.now() - startedAt;
  const after = total();
  return { waitedMs, processorMs: before === null || after === null ? waitedMs : after - before };
}

/** For what other processes do too: only the wait is known. */
export function timedOnly(call: () => Promise<unknown>): Measurement {
  return () => costOf(call, []);
}

function add(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

/** How much gets done when so many are at it at once. */
export interface Rate {
  readonly perSecond: number;
  readonly done: number;
  readonly failed: number;
}

/** Completions per second of `atOnce` loops over that time. Work that fails, or ends after it, does not count. */
export async function rateOf(work: () => Promise<unknown>, atOnce: number, seconds: number): Promise<Rate> {
  const end = performance.now() + seconds * 1_000;
  let [inTime, done, failed] = [0, 0, 0];
  const loop = async () => {
    while (performance.now() < end) {
      const succeeded = await work().then(
        () => true,
        () => false,
      );
      if (succeeded) done += 1;
      else failed += 1;
      if (succeeded && performance.now() < end) inTime += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  return { perSecond: inTime / seconds, done, failed };
}
