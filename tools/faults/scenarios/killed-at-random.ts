// Processes are killed at random places of a load, three times in a row; the seed repeats the choice.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_FAILPOINTS, DELIVERY_FAILPOINTS } from '../../../platform/failpoints/failpoints.js';
import { begin, CRASHES, type Crash, PARTIAL_CRASHES } from '../crashes.js';
import { killProcess } from '../environment/failpoint-server.js';
import type { Environment } from '../environment/environment.js';
import { leaveLostSends, prepareTraffic } from '../workload.js';
import type { Point } from '../points.js';
import type { Scenario, ScenarioContext } from '../scenario.js';
import { ACTIVITIES } from './killed-worker.js';

const PLACES: readonly Point[] = [
  ...Object.values(API_FAILPOINTS),
  ...Object.values(DELIVERY_FAILPOINTS),
  ...[...new Set(Object.values(ACTIVITIES).flat())].flatMap(
    (name) => [`activity.${name}.before`, `activity.${name}.after`] as const,
  ),
];
const TRAFFIC = 6;
const KILLS = 3;
/** The load may be past the place already; the kill then comes without it. */
const PLACE_REACHED_MS = 4_000;

const processAtFailpoint: Crash = { name: 'the process that hits it', inject: () => Promise.resolve() };

export const killedAtRandom: readonly Scenario[] = [
  {
    family: 'processes',
    name: 'three random processes killed at random places of a load',
    holds: 'every payment continues from its state',
    bounded: false,
    play: playRandomly,
  },
];

async function playRandomly(context: ScenarioContext): Promise<void> {
  const { environment, random } = context;
  const traffic = (await prepareTraffic(environment.operator, TRAFFIC))();
  const failure = traffic.then(
    () => null,
    (error: unknown) => error,
  );
  const plan: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const [place, crash, skip] = [
      random.pick(PLACES),
      random.pick([processAtFailpoint, ...CRASHES, ...PARTIAL_CRASHES]),
      random.below(4),
    ];
    plan.push(`${crash.name} at ${place}, after ${skip}`);
    await killAt(environment, place, crash, skip);
  }
  const error = await failure;
  await leaveLostSends(context);
  assert.equal(error, null, `after ${plan.join('; ')}: ${String(error)}`);
}

async function killAt(environment: Environment, point: Point, crash: Crash, skip: number): Promise<void> {
  let injected: ReturnType<typeof begin> | undefined;
  const react = crash === processAtFailpoint ? killProcess : () => void (injected ??= begin(crash, environment));
  const failpoint = environment.failpoints.set({ point, skip, react });
  await Promise.race([failpoint.hit, sleep(PLACE_REACHED_MS)]);
  failpoint.remove();
  if (crash === processAtFailpoint)
    await Promise.all(
      [...environment.apis, ...environment.ingresses, ...environment.allWorkers].map((node) => node.heal()),
    );
  else await (injected ??= begin(crash, environment)).over();
}
