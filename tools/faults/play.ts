// Plays one scenario: heals the field afterwards and checks every invariant, also when the scenario itself failed.
import { INVARIANTS } from './invariants/index.js';
import type { Field } from './field/field.js';
import { randomFrom } from './random.js';
import type { Scenario } from './scenario.js';

export interface Outcome {
  readonly scenario: Scenario;
  readonly seed: number;
  /** Empty when everything held; `L: …` is the invariant L. */
  readonly problems: readonly string[];
  readonly tookMs: number;
}

export async function play(field: Field, scenario: Scenario, seed: number): Promise<Outcome> {
  const startedMs = performance.now();
  for (const operator of field.operators) operator.beginAnew();
  const since = await databaseTime(field);
  const problems: string[] = [];
  const attempt = async (what: string, task: () => Promise<readonly string[] | void>) => {
    try {
      problems.push(...((await task()) ?? []).map((problem) => `${what}: ${problem}`));
    } catch (error) {
      problems.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  await attempt('scenario', () =>
    scenario.play({ field, random: randomFrom(seed), staysOpen: (id) => void field.leftOpen.add(id) }),
  );
  await attempt('healing', () => field.heal());
  for (const { letter, check } of INVARIANTS) await attempt(letter, () => check({ field, since }));
  return { scenario, seed, problems, tookMs: performance.now() - startedMs };
}

async function databaseTime({ database }: Field): Promise<Date> {
  const { rows } = await database.query<{ now: Date }>('SELECT now() AS now');
  return rows[0]?.now ?? new Date();
}
