// The scenarios of the fault campaign: what the searcher has no means for (docs/decisions/0029).
import type { Environment } from './environment/environment.js';
import type { Scenario } from './scenario.js';
import { canary } from './scenarios/canary.js';
import { certificates } from './scenarios/certificates.js';
import { diskFull } from './scenarios/disk-full.js';
import { exhaustion } from './scenarios/exhaustion.js';
import { tenants } from './scenarios/tenants.js';

/** In the order they are played. */
export const SCENARIOS: readonly Scenario[] = [diskFull, ...canary, ...tenants, certificates, ...exhaustion];

/** Plays it, heals the environment, and has the gateway check its own books. Throws what did not hold. */
export async function play(environment: Environment, scenario: Scenario): Promise<void> {
  for (const operator of environment.operators) operator.journal.length = 0;
  try {
    await scenario.play(environment);
  } finally {
    await environment.heal();
  }
  await environment.gateway('ledger', 'verify');
  await environment.gateway('workflow', 'verify');
}
