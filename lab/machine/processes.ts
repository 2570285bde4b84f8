// The processes of the gateway, all of them inside this one. A process that was killed does nothing any more: its next
// statement is not sent, its next request not made, and what was under way is answered to nobody.
import { AsyncLocalStorage } from 'node:async_hooks';

const present = new AsyncLocalStorage<LabProcess>();

/** One life of a process. */
export class LabProcess {
  isDead = false;
  /** Frozen until this moment: it neither sends nor hears. */
  frozenUntilMs = 0;
  /** By how much its own clock is ahead. */
  clockAheadMs = 0;

  constructor(readonly name: string) {}

  /** Runs `work` as this process. */
  run<T>(work: () => T): T {
    return present.run(this, work);
  }

  kill(): void {
    this.isDead = true;
  }
}

/** The process that runs now; undefined: the world outside. */
export const presentProcess = (): LabProcess | undefined => present.getStore();

/** Runs `work` in the world outside. */
export const outsideProcesses = <T>(work: () => T): T => present.exit(work);

/** Never answers: for what a dead process waits for. */
export const silence = (): Promise<never> => new Promise(() => undefined);

/** Whether it was killed. A function, because it may happen while something is awaited. */
export const isDead = (process: LabProcess | undefined): boolean => process?.isDead === true;
