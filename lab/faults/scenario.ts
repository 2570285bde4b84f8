// A scenario of the fault campaign.
import type { Shape } from '../harness/servers.js';
import type { Environment } from './environment/environment.js';

export interface Scenario {
  /** What happens, in a few words; unique. */
  readonly name: string;
  readonly holds: string;
  /** `npm test -- release` plays it too. */
  readonly beforeRelease?: true;
  /** The only shape that has it; by default every one has. */
  readonly at?: Shape;
  /** Throws when something does not hold. */
  play(environment: Environment): Promise<void>;
}
