// Servers and processes are killed in the middle of a load, alone or all at once, and come back.
import { setTimeout as sleep } from 'node:timers/promises';
import { begin, CRASHES, type Crash, EDGE_CRASH, POWER_CUT, TEMPORAL_CRASHES } from '../crashes.js';
import { leaveLostSends, prepareTraffic } from '../workload.js';
import type { Scenario, ScenarioContext } from '../scenario.js';

const TRAFFIC = 5;

export const killedServers: readonly Scenario[] = [
  ...CRASHES.map((crash) => underLoad(crash, 2)),
  // Twice would outlast the patience of the operator's program.
  underLoad(POWER_CUT, 1),
  ...[...TEMPORAL_CRASHES, EDGE_CRASH].map((crash): Scenario => ({ ...underLoad(crash, 2), at: 'cluster' })),
];

function underLoad(crash: Crash, strikes: 1 | 2): Scenario {
  return {
    family: 'processes',
    name: `${crash.name} killed ${strikes === 1 ? 'once' : 'twice'} in the middle of a load`,
    holds: 'every unanswered request is decided when repeated; every payment continues',
    play: (context) => playUnderLoad(context, crash, strikes),
  };
}

async function playUnderLoad(context: ScenarioContext, crash: Crash, strikes: number): Promise<void> {
  const { environment, random } = context;
  const traffic = (await prepareTraffic(environment.operator, TRAFFIC))();
  const failure = traffic.then(
    () => null,
    (error: unknown) => error,
  );
  for (let strike = 0; strike < strikes; strike += 1) {
    await sleep(random.below(1_500));
    await begin(crash, environment).over();
  }
  const error = await failure;
  if (error !== null) throw error;
  await leaveLostSends(context);
}
