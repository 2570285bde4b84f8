// What Node itself offers, kept before the machine replaces it: for waits on PostgreSQL and for measuring.
import { performance } from 'node:perf_hooks';

const { setTimeout: later, clearTimeout: never, setImmediate: soon } = globalThis;
const monotonic = performance.now.bind(performance);

/** The time of this machine, for progress and limits of a search. Never for what a run decides. */
export const real = {
  nowMs: () => monotonic(),
  /** Processor time of this process so far. */
  processorMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  /** Resolves after everything that Node has to do now. */
  turn: () => new Promise<void>((resolve) => void soon(resolve)),
  soon,
  later: (milliseconds: number, action: () => void): (() => void) => {
    const timer = later(action, milliseconds);
    return () => never(timer);
  },
};
