// A scenario of the fault campaign: something that the searcher has no means for (docs/decisions/0029).
import type { Environment } from './environment/environment.js';
import type { Shape } from '../harness/servers.js';
import type { Random } from './random.js';

export const FAMILIES = {
  processes: 'Processes are killed or restarted in the middle of a load',
  network: 'Network links are dead or deliver in another order',
  storms: 'Many requests at once, over two apis',
  disk: 'The disk is full',
  security: 'Attacks on the wire, and what leaks',
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
  /** `npm test -- release` plays it too. */
  readonly beforeRelease?: true;
  /** The only shape that has it; by default every one has. */
  readonly at?: Shape;
  /** Throws when something does not hold. Afterwards the environment is healed and the invariants are checked. */
  play(context: ScenarioContext): Promise<void>;
}
