// A scenario of the fault campaign.
import type { Environment } from './environment/environment.js';
import type { Shape } from './environment/servers.js';
import type { Random } from './random.js';

export const FAMILIES = {
  processes: 'Processes are killed',
  network: 'Network links are cut, dead, slow, or deliver in another order',
  provider: 'The provider misbehaves',
  receivers: 'Receivers misbehave',
  storms: 'Storms and races',
  clocks: 'Clocks and time-outs',
  dependencies: 'Dependencies are gone',
  security: 'Attacks',
} as const;
export type Family = keyof typeof FAMILIES;

export interface ScenarioContext {
  readonly environment: Environment;
  readonly random: Random;
  /** Allows this payment to stay open at the end. */
  staysOpen(paymentId: string): void;
}

export interface Scenario {
  readonly family: Family;
  /** What happens, in a few words; unique. */
  readonly name: string;
  /** What must hold in addition to the invariants. */
  readonly holds: string;
  /** Also in a short campaign (`--bounded`). */
  readonly bounded: boolean;
  /** Run only on servers of this shape; by default on any. */
  readonly shape?: Shape;
  /** Throws when something does not hold. Afterwards the environment is healed and the invariants are checked. */
  play(context: ScenarioContext): Promise<void>;
}
