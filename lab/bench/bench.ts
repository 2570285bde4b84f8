// What a benchmark is to the command that runs it.
import type { Findings } from './result.js';
import type { BenchServers } from './servers.js';

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
