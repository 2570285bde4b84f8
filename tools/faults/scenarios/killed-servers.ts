// PostgreSQL, Temporal, the simulator, both workers and both apis are killed in the middle of payments, and come back.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_FAILPOINTS } from '../../../platform/failpoints/failpoints.js';
import { begin, CRASHES, type Crash, EDGE_CRASH, PARTIAL_CRASHES, TEMPORAL_CRASHES } from '../crashes.js';
import {
  fundedPlayers,
  type Kind,
  leaveLostSends,
  completeDeposit,
  completeWithdrawal,
  prepareTraffic,
} from '../workload.js';
import type { Point } from '../points.js';
import type { Scenario, ScenarioContext } from '../scenario.js';
import { PLAYED_WITH } from '../settings.js';

interface Moment {
  readonly when: string;
  readonly kind: Kind;
  readonly point: Point;
}

/** A place in a life cycle. All others continue while the killed one is away. */
const MOMENTS: readonly Moment[] = [
  { when: 'while a deposit is created', kind: 'deposit', point: 'activity.openDeposit.before' },
  { when: 'after a deposit is created, before it is answered', kind: 'deposit', point: API_FAILPOINTS.recording },
  { when: 'while a deposit is paid', kind: 'deposit', point: 'activity.examineChargeBriefly.before' },
  { when: 'before a payout is sent', kind: 'withdrawal', point: 'activity.sendPayout.before' },
  { when: 'after a payout was sent', kind: 'withdrawal', point: 'activity.sendPayout.after' },
];

/** The most telling ones. */
const BOUNDED = new Set(['Temporal killed after a payout was sent']);
const TRAFFIC = 5;
const STRIKES = 2;

export const killedServers: readonly Scenario[] = [
  ...CRASHES.flatMap((crash) => MOMENTS.map((moment) => atMoment(crash, moment))),
  ...[...CRASHES, ...PARTIAL_CRASHES].map((crash) => underLoad(crash, crash.name === 'PostgreSQL')),
  ...[...TEMPORAL_CRASHES, EDGE_CRASH].map((crash): Scenario => ({ ...underLoad(crash, false), at: ['cluster'] })),
];

function atMoment(crash: Crash, { when, kind, point }: Moment): Scenario {
  const name = `${crash.name} killed ${when}`;
  return {
    family: 'processes',
    name,
    holds: 'answered requests stay; the payment continues by itself once everything is back',
    bounded: BOUNDED.has(name),
    at: PLAYED_WITH[kind],
    play: (context) => playAt(context, crash, kind, point),
  };
}

async function playAt(context: ScenarioContext, crash: Crash, kind: Kind, point: Point): Promise<void> {
  const { environment } = context;
  const [player] = kind === 'withdrawal' ? await fundedPlayers(environment.operator, 1) : [];
  let injected: ReturnType<typeof begin> | undefined;
  const failpoint = environment.failpoints.set({
    point,
    react: () => {
      injected = begin(crash, environment);
    },
  });
  const life =
    player === undefined ? completeDeposit(environment.operator) : completeWithdrawal(environment.operator, { player });
  const failure = await life.then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(failpoint.wasHit(), `no process reached ${point}`);
  await injected?.over();
  await leaveLostSends(context);
  // A send that was lost for good cannot end here; any other life must.
  const { rows } = await environment.database.query(`SELECT 1 FROM withdrawal WHERE status = 'approved'`);
  if (failure !== null && rows.length === 0) throw failure;
}

function underLoad(crash: Crash, bounded: boolean): Scenario {
  return {
    family: 'processes',
    name: `${crash.name} killed twice in the middle of a load`,
    holds: 'every unanswered request is decided when repeated; every payment continues',
    bounded,
    play: (context) => playUnderLoad(context, crash),
  };
}

async function playUnderLoad(context: ScenarioContext, crash: Crash): Promise<void> {
  const { environment, random } = context;
  const traffic = (await prepareTraffic(environment.operator, TRAFFIC))();
  const failure = traffic.then(
    () => null,
    (error: unknown) => error,
  );
  for (let strikes = 0; strikes < STRIKES; strikes += 1) {
    await sleep(random.below(1_500));
    await begin(crash, environment).over();
  }
  const error = await failure;
  if (error !== null) throw error;
  await leaveLostSends(context);
}
