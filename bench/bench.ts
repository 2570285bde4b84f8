// What a benchmark is to the command that runs it.
import type { Findings } from './result.js';
import type { BenchServers } from './servers.js';

export interface BenchContext {
  readonly servers: BenchServers;
  /** Small sizes: to see that it works, not to know how fast. */
  readonly quick: boolean;
}

export interface Bench {
  readonly name: string;
  /** One line for `--help` and the heading of its results. */
  readonly title: string;
  run(context: BenchContext): Promise<Findings>;
}
