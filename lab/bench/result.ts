// What a benchmark is to the command that runs it, and what it finds: figures, some of which keep a promise, and tables
// of detail.
import type { BenchServers, TemporalKind } from './servers.js';

/** Values by name; the names end with their units. */
export type Counters = Readonly<Record<string, number>>;

export interface Figure {
  readonly name: string;
  readonly value: number;
  /** "ms", "×", "statements", "/s", … */
  readonly unit: string;
  /** The promise: not more than this. */
  readonly atMost?: number;
  /** The promise: not less than this. */
  readonly atLeast?: number;
  readonly note?: string;
}

export interface DetailTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What a run of one benchmark answers. */
export interface Findings {
  readonly figures: readonly Figure[];
  readonly tables: readonly DetailTable[];
  /** What a reader has to know to understand the figures: sizes, scale, what gave way first. */
  readonly remarks: readonly string[];
  /** Figures by fixed names, for what is computed from them (docs/scaling.md). */
  readonly counters?: Counters;
}

/** Findings with when, where and how long: what is kept in var/bench. */
export interface BenchResult extends Findings {
  readonly bench: string;
  readonly title: string;
  /** The kind of Temporal under it; absent where it makes no difference. */
  readonly temporal?: TemporalKind;
  readonly ranAt: string;
  readonly tookSeconds: number;
  readonly machine: string;
}

export type Verdict = 'kept' | 'broken' | 'no promise';

export function verdictOf({ value, atMost, atLeast }: Figure): Verdict {
  if (atMost === undefined && atLeast === undefined) return 'no promise';
  // NaN keeps no promise.
  return value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity) ? 'kept' : 'broken';
}

export function isBroken(findings: Findings): boolean {
  return findings.figures.some((figure) => verdictOf(figure) === 'broken');
}

export interface BenchContext {
  readonly servers: BenchServers;
  /** Small sizes: to see that it works, not to know how fast. */
  readonly quick: boolean;
  /** How many, where a benchmark can be asked for more or fewer. */
  readonly count?: number;
}

export interface Bench {
  readonly name: string;
  /** One line for `--help` and the heading of its results. */
  readonly title: string;
  /** What it measures hangs on Temporal: it can be run on either kind, and its results are kept for each. */
  readonly needsTemporal?: true;
  run(context: BenchContext): Promise<Findings>;
}
