// A scenario of the fault campaign.
import type { Environment } from './environment/environment.js';
import type { Random } from './random.js';
import type { SettingName } from './settings.js';

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
  /** Where it is played; by default everywhere. */
  readonly at?: readonly SettingName[];
  /** Throws when something does not hold. Afterwards the environment is healed and the invariants are checked. */
  play(context: ScenarioContext): Promise<void>;
}

export function isPlayedAt({ at }: Pick<Scenario, 'at'>, setting: SettingName): boolean {
  return at === undefined || at.includes(setting);
}
