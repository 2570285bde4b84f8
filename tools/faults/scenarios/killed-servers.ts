// PostgreSQL, Temporal, the simulator, both workers and both apis are killed in the middle of payments, and come back.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_FAILPOINTS } from '../../../platform/failpoints/failpoints.js';
import { begin, CASUALTIES, type Casualty, EDGE, HALF_CASUALTIES, TEMPORAL_CASUALTIES } from '../casualties.js';
import { fundedPlayers, type Kind, leaveLostSends, liveDeposit, liveWithdrawal, prepareTraffic } from '../lives.js';
import type { Scenario, Stage } from '../scenario.js';

interface Moment {
  readonly when: string;
  readonly kind: Kind;
  readonly point: string;
}

/** A place in a life cycle: everybody there goes on while the killed one is away. */
const MOMENTS: readonly Moment[] = [
  { when: 'while a deposit is created', kind: 'deposit', point: 'activity.openDeposit.before' },
  { when: 'after a deposit is created, before it is answered', kind: 'deposit', point: API_FAILPOINTS.recording },
  { when: 'while a deposit is paid', kind: 'deposit', point: 'activity.examineCharge.before' },
  { when: 'before a payout is sent', kind: 'withdrawal', point: 'activity.sendPayout.before' },
  { when: 'after a payout was sent', kind: 'withdrawal', point: 'activity.sendPayout.after' },
];

/** The most telling ones. */
const BOUNDED = new Set(['Temporal killed after a payout was sent']);
const TRAFFIC = 5;
const STRIKES = 2;

export const killedServers: readonly Scenario[] = [
  ...CASUALTIES.flatMap((casualty) => MOMENTS.map((moment) => atMoment(casualty, moment))),
  ...[...CASUALTIES, ...HALF_CASUALTIES].map((casualty) => underLoad(casualty, casualty.name === 'PostgreSQL')),
  ...[...TEMPORAL_CASUALTIES, EDGE].map((casualty): Scenario => ({ ...underLoad(casualty, false), shape: 'cluster' })),
];

function atMoment(casualty: Casualty, { when, kind, point }: Moment): Scenario {
  const name = `${casualty.name} killed ${when}`;
  return {
    family: 'processes',
    name,
    holds: 'what was answered stays; the payment goes on by itself once everything is back',
    bounded: BOUNDED.has(name),
    play: (stage) => playAt(stage, casualty, kind, point),
  };
}

async function playAt(stage: Stage, casualty: Casualty, kind: Kind, point: string): Promise<void> {
  const { field } = stage;
  const [player] = kind === 'withdrawal' ? await fundedPlayers(field.operator, 1) : [];
  let strike: ReturnType<typeof begin> | undefined;
  const trap = field.desk.set({
    point,
    react: () => {
      strike = begin(casualty, field);
    },
  });
  const life = player === undefined ? liveDeposit(field.operator) : liveWithdrawal(field.operator, { player });
  const failure = await life.then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(trap.hasSnapped(), `nobody came to ${point}`);
  await strike?.over();
  await leaveLostSends(stage);
  // A send that was lost for good cannot end here; any other life must.
  const { rows } = await field.database.query(`SELECT 1 FROM withdrawal WHERE status = 'approved'`);
  if (failure !== null && rows.length === 0) throw failure;
}

function underLoad(casualty: Casualty, bounded: boolean): Scenario {
  return {
    family: 'processes',
    name: `${casualty.name} killed twice in the middle of a load`,
    holds: 'every request that was not answered is decided when it is repeated; every payment goes on',
    bounded,
    play: (stage) => playUnderLoad(stage, casualty),
  };
}

async function playUnderLoad(stage: Stage, casualty: Casualty): Promise<void> {
  const { field, random } = stage;
  const traffic = (await prepareTraffic(field.operator, TRAFFIC))();
  const failure = traffic.then(
    () => null,
    (error: unknown) => error,
  );
  for (let strikes = 0; strikes < STRIKES; strikes += 1) {
    await sleep(random.below(1_500));
    await begin(casualty, field).over();
  }
  const error = await failure;
  if (error !== null) throw error;
  await leaveLostSends(stage);
}
