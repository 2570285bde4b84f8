// What must hold after every scenario, no matter what went wrong in it.
import type { Environment } from '../environment/environment.js';

/** What one scenario is checked on. */
export interface ScenarioRun {
  readonly environment: Environment;
  /** Database time at the scenario's start. */
  readonly since: Date;
}

export interface Invariant {
  readonly letter: string;
  /** For people, in docs/faults.md. */
  readonly holds: string;
  /** @returns one line for each thing that is wrong */
  check(played: ScenarioRun): Promise<string[]>;
}
