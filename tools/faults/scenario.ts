// What a scenario is to the campaign that plays it.
import type { Field } from './field/field.js';
import type { Shape } from './field/servers.js';
import type { Random } from './random.js';

export const FAMILIES = {
  processes: 'Processes are killed',
  network: 'Links are cut, dead, slow, or give way in another order',
  provider: 'The provider misbehaves',
  receivers: 'Receivers misbehave',
  storms: 'Storms and races',
  clocks: 'Clocks and lapses',
  dependencies: 'What the gateway leans on is gone',
  security: 'Attacks',
} as const;
export type Family = keyof typeof FAMILIES;

export interface Stage {
  readonly field: Field;
  readonly random: Random;
  /** These payments may stay open at the end. */
  staysOpen(paymentId: string): void;
}

export interface Scenario {
  readonly family: Family;
  /** What happens, in a few words; unique. */
  readonly name: string;
  /** What must hold beside the invariants. */
  readonly holds: string;
  /** Also in a short campaign (`--bounded`). */
  readonly bounded: boolean;
  /** Only played on servers of this shape; absent: on any. */
  readonly shape?: Shape;
  /** Throws (an AssertionError, say) when something does not hold. The field is healed and the invariants are checked after it. */
  play(stage: Stage): Promise<void>;
}
