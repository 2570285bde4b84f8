// Processes are killed at random places of a load, three times in a row; the seed repeats the choice.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_FAILPOINTS } from '../../../platform/failpoints/failpoints.js';
import { begin, CASUALTIES, type Casualty, HALF_CASUALTIES } from '../casualties.js';
import { killThere } from '../field/failpoint-desk.js';
import type { Field } from '../field/field.js';
import { leaveLostSends, prepareTraffic } from '../lives.js';
import type { Scenario, Stage } from '../scenario.js';
import { ACTIVITIES } from './killed-worker.js';

const PLACES = [...Object.values(API_FAILPOINTS), ...new Set(Object.values(ACTIVITIES).flat())].flatMap((place) =>
  place.startsWith('api.') ? [place] : [`activity.${place}.before`, `activity.${place}.after`],
);
const TRAFFIC = 6;
const KILLS = 3;
/** The load may be past the place already; the kill then comes without it. */
const PLACE_REACHED_MS = 4_000;

const whoComes: Casualty = { name: 'whoever comes there', strike: () => Promise.resolve() };

export const killedAtRandom: readonly Scenario[] = [
  {
    family: 'processes',
    name: 'three random processes killed at random places of a load',
    holds: 'every payment goes on, wherever it stood',
    bounded: false,
    play: playRandomly,
  },
];

async function playRandomly(stage: Stage): Promise<void> {
  const { field, random } = stage;
  const traffic = (await prepareTraffic(field.operator, TRAFFIC))();
  const failure = traffic.then(
    () => null,
    (error: unknown) => error,
  );
  const plan: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const [place, casualty, skip] = [
      random.pick(PLACES),
      random.pick([whoComes, ...CASUALTIES, ...HALF_CASUALTIES]),
      random.below(4),
    ];
    plan.push(`${casualty.name} at ${place}, after ${skip}`);
    await killAt(field, place, casualty, skip);
  }
  const error = await failure;
  await leaveLostSends(stage);
  assert.equal(error, null, `after ${plan.join('; ')}: ${String(error)}`);
}

async function killAt(field: Field, point: string, casualty: Casualty, skip: number): Promise<void> {
  let strike: ReturnType<typeof begin> | undefined;
  const react = casualty === whoComes ? killThere : () => void (strike ??= begin(casualty, field));
  const trap = field.desk.set({ point, skip, react });
  await Promise.race([trap.snapped, sleep(PLACE_REACHED_MS)]);
  trap.remove();
  if (casualty === whoComes) await Promise.all([...field.apis, ...field.workers].map((node) => node.heal()));
  else await (strike ??= begin(casualty, field)).over();
}
