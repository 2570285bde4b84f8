// Runs one scenario, heals the environment and checks every invariant, also when the scenario failed.
import { INVARIANTS } from './invariants/index.js';
import type { Environment } from './environment/environment.js';
import { randomFrom } from './random.js';
import type { Scenario } from './scenario.js';

export interface Outcome {
  readonly scenario: Scenario;
  readonly seed: number;
  /** Empty when everything held; `L: …` is a violation of invariant L. */
  readonly problems: readonly string[];
  readonly tookMs: number;
}

export async function play(environment: Environment, scenario: Scenario, seed: number): Promise<Outcome> {
  const startedMs = performance.now();
  for (const operator of environment.operators) operator.beginAnew();
  const since = await databaseTime(environment);
  const problems: string[] = [];
  const attempt = async (what: string, task: () => Promise<readonly string[] | void>) => {
    try {
      problems.push(...((await task()) ?? []).map((problem) => `${what}: ${problem}`));
    } catch (error) {
      problems.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  await attempt('scenario', () =>
    scenario.play({ environment, random: randomFrom(seed), staysOpen: (id) => void environment.leftOpen.add(id) }),
  );
  await attempt('healing', () => environment.heal());
  for (const { letter, check } of INVARIANTS) await attempt(letter, () => check({ environment, since }));
  return { scenario, seed, problems, tookMs: performance.now() - startedMs };
}

async function databaseTime({ database }: Environment): Promise<Date> {
  const { rows } = await database.query<{ now: Date }>('SELECT now() AS now');
  return rows[0]?.now ?? new Date();
}
