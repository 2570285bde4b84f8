// The worker that runs it is killed before and after every activity of both life cycles; another one continues.
import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import { request } from 'undici';
import { DELIVERY_FAILPOINTS } from '../../../platform/failpoints/failpoints.js';
import { eventually, within } from '../../harness/eventually.js';
import { newPlayer } from '../../harness/payments.js';
import { killProcess, type ArmedFailpoint } from '../environment/failpoint-server.js';
import type { Environment } from '../environment/environment.js';
import { type Kind, completeDeposit, completeWithdrawal } from '../workload.js';
import type { ActivityName, Point } from '../points.js';
import { PLAYED_WITH, SENDS_PAYOUTS, type SettingName, WITH_DIRECTORY } from '../settings.js';
import type { Scenario, ScenarioContext } from '../scenario.js';
import { pendingDeposit } from './payments.js';

/**
 * The activities of a deposit that is created, paid and delivered, and of a withdrawal that is approved, sent and paid.
 */
export const ACTIVITIES = {
  deposit: ['openDeposit', 'examineChargeBriefly'],
  withdrawal: ['openWithdrawal', 'approveWithdrawal', 'clearDispatch', 'sendPayout', 'lookUpPayoutBriefly'],
} as const satisfies Readonly<Record<Kind, readonly ActivityName[]>>;

type SetTrapAt = (subject?: string) => ArmedFailpoint;

/** The others are reached on a longer way only. */
interface Detour {
  readonly activity: ActivityName;
  readonly of: string;
  /** See Scenario. */
  readonly at?: readonly SettingName[];
  /** Sets the failpoint when the way there begins. */
  go(environment: Environment, arm: SetTrapAt): Promise<ArmedFailpoint>;
}

/** The simulator makes the charge and never answers the first request for it. */
const SILENT_CHARGE = '66604';
/** The directory answers the fourth look-up of it. */
const SLOW_TO_ANSWER = 'dict-recovers@sentinel.test';
/** Whose key that is where the directory is not told whom it should compare (sandbox/simulator/woovi/keys.ts). */
const KEY_HOLDER = { type: 'CPF', number: '52998224725', country: 'BR' } as const;

const NO_DIRECTORY = 'a withdrawal whose key directory did not answer';

const DETOURS: readonly Detour[] = [
  { activity: 'createCharge', of: 'a deposit whose provider did not answer', go: createAnew },
  { activity: 'requestReturn', of: 'a deposit that goes back to its payer', go: returnToPayer },
  { activity: 'followReturn', of: 'a deposit that goes back, of which no callback tells', go: returnUnheard },
  { activity: 'loadDeposit', of: 'a paid deposit that is refunded', go: refund },
  { activity: 'examineChargeBriefly', of: 'a paid deposit of which a part is taken back', go: takePartBack },
  { activity: 'raiseAlert', of: 'a withdrawal of a suspended operation', at: SENDS_PAYOUTS, go: suspend },
  { activity: 'lookUpKeyOwner', of: NO_DIRECTORY, at: WITH_DIRECTORY, go: askDirectoryAgain },
  { activity: 'decideRequested', of: NO_DIRECTORY, at: WITH_DIRECTORY, go: askDirectoryAgain },
  { activity: 'loadWithdrawal', of: 'a paid withdrawal that comes back', at: SENDS_PAYOUTS, go: comeBack },
  { activity: 'deliverEvent', of: 'an event whose first delivery failed', go: deliverAgain },
];

/** A lost attempt ends after 12 s; the next ones come after 30 s and a minute. */
const RETURNED_WITHIN_MS = 180_000;

const HIT_WITHIN_MS = 5_000;

/** Where a life cycle's money moves. */
const BOUNDED = new Set(['after openDeposit', 'after openWithdrawal', 'before sendPayout', 'after sendPayout']);
const SIDES = ['before', 'after'] as const;

export const killedWorker: readonly Scenario[] = [
  ...(['deposit', 'withdrawal'] as const).flatMap((kind) =>
    stepsOf(kind).map(([step, point]) => ({
      ...killed(`${step} of a ${kind}`, BOUNDED.has(step), (context) => playOnTheWay(context, kind, point)),
      at: PLAYED_WITH[kind],
    })),
  ),
  ...DETOURS.flatMap((detour) =>
    SIDES.map((side) => ({
      ...killed(`${side} ${detour.activity} of ${detour.of}`, false, (context) =>
        playDetour(context, detour, `activity.${detour.activity}.${side}`),
      ),
      ...(detour.at === undefined ? {} : { at: detour.at }),
    })),
  ),
];

/** What every payment of the kind passes, in words and as a failpoint: before and after each activity and attempt. */
function stepsOf(kind: Kind): readonly (readonly [string, Point])[] {
  const activities = ACTIVITIES[kind].flatMap((activity) =>
    SIDES.map((side) => [`${side} ${activity}`, `activity.${activity}.${side}`] as const),
  );
  const attempts = SIDES.map(
    (side) => [`${side} the first attempt to deliver an event`, DELIVERY_FAILPOINTS[side]] as const,
  );
  return [...activities, ...attempts];
}

function killed(where: string, bounded: boolean, play: Scenario['play']): Scenario {
  return {
    family: 'processes',
    name: `worker killed ${where}`,
    holds: 'the other worker takes over; the payment ends correctly',
    bounded,
    play,
  };
}

async function playOnTheWay({ environment }: ScenarioContext, kind: Kind, point: Point): Promise<void> {
  const player = kind === 'withdrawal' ? await environment.operator.fundedPlayer() : undefined;
  const failpoint = environment.failpoints.set({ point, react: killProcess });
  await (player === undefined
    ? completeDeposit(environment.operator)
    : completeWithdrawal(environment.operator, { player }));
  await assertHit(failpoint, point);
}

async function playDetour({ environment }: ScenarioContext, detour: Detour, point: Point): Promise<void> {
  const failpoint = await detour.go(environment, (subject) =>
    environment.failpoints.set({ point, react: killProcess, ...(subject === undefined ? {} : { subject }) }),
  );
  await assertHit(failpoint, point);
}

/** The operator has the last event a moment before the step that delivered it ends. */
async function assertHit(failpoint: ArmedFailpoint, point: Point): Promise<void> {
  await within(HIT_WITHIN_MS, failpoint.hit, `no process reached ${point}`);
}

async function createAnew({ operator }: Environment, arm: SetTrapAt): Promise<ArmedFailpoint> {
  const failpoint = arm();
  await completeDeposit(operator, { amountMinor: SILENT_CHARGE });
  return failpoint;
}

async function returnToPayer(environment: Environment, arm: SetTrapAt): Promise<ArmedFailpoint> {
  const id = await mismatchedDeposit(environment);
  return returned(environment, id, arm());
}

/** A callback would bring a look-up that finds the return before the step asks again. */
async function returnUnheard(environment: Environment, arm: SetTrapAt): Promise<ArmedFailpoint> {
  const id = await mismatchedDeposit(environment);
  environment.links.callbacks.cut();
  try {
    return await returned(environment, id, arm());
  } finally {
    environment.links.callbacks.heal();
  }
}

async function mismatchedDeposit({ operator }: Environment): Promise<string> {
  const id = await pendingDeposit(operator);
  await operator.pay(id, { payer_document: newPlayer().document });
  await operator.reaches(`/v1/deposits/${id}`, ['under_review']);
  return id;
}

async function returned(
  { operator, gateway }: Environment,
  id: string,
  failpoint: ArmedFailpoint,
): Promise<ArmedFailpoint> {
  // Longer than the command waits if a worker is killed: the return continues by itself.
  await gateway('review', 'return', id, '--as', 'ana', '--reason', 'another payer').catch(() => undefined);
  await operator.reaches(`/v1/deposits/${id}`, ['returned'], RETURNED_WITHIN_MS);
  return failpoint;
}

async function refund(environment: Environment, arm: SetTrapAt): Promise<ArmedFailpoint> {
  const { operator } = environment;
  const id = await completeDeposit(operator);
  await untilRunEnds(environment, id);
  const failpoint = arm();
  await operator.post(`/v1/sandbox/deposits/${id}/refund`, undefined);
  await operator.reaches(`/v1/deposits/${id}`, ['refunded']);
  return failpoint;
}

async function takePartBack(environment: Environment, arm: SetTrapAt): Promise<ArmedFailpoint> {
  const { operator, simulator } = environment;
  const id = await completeDeposit(operator);
  const failpoint = arm();
  const { statusCode } = await request(
    `${simulator.url}/control/simulator/charges/${id.slice('dep_'.length)}/reverse`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'refund', amount_minor: '1' }),
    },
  );
  assert.equal(statusCode, 200);
  await within(60_000, failpoint.hit, 'the look-up');
  await raised(environment, id, 'PARTIAL_REVERSAL');
  return failpoint;
}

/** The alert is a separate step here: nothing else is stored with it. */
async function suspend(environment: Environment, arm: SetTrapAt): Promise<ArmedFailpoint> {
  const { operator, gateway } = environment;
  const { id } = await operator.withdrawal({ player: await operator.fundedPlayer() });
  await operator.reaches(`/v1/withdrawals/${id}`, ['under_review']);
  const { operation_id: operationId } = operator.operation;
  await gateway('operation', 'suspend', operationId, '--as', 'ana');
  const failpoint = arm(id);
  try {
    await gateway('review', 'approve', id, '--as', 'ana');
    await within(60_000, failpoint.hit, 'the alert is raised');
    await raised(environment, id, 'OPERATION_SUSPENDED');
  } finally {
    await gateway('operation', 'resume', operationId, '--as', 'ana');
  }
  await operator.reaches(`/v1/withdrawals/${id}`, ['processing'], 120_000);
  return failpoint;
}

async function raised({ database }: Environment, id: string, kind: string): Promise<void> {
  await eventually(
    async () =>
      (await database.query(`SELECT 1 FROM alert WHERE object_id = $1 AND kind = $2`, [id, kind])).rowCount === 1,
    `the alert ${kind}`,
    60_000,
  );
}

/** The directory answers every fourth look-up of the key, whoever asks: a withdrawal may meet that one at once. */
async function askDirectoryAgain({ operator }: Environment, arm: SetTrapAt): Promise<ArmedFailpoint> {
  const failpoint = arm();
  for (let tries = 0; tries < 2 && !failpoint.wasHit(); tries += 1) {
    const player = await operator.fundedPlayer(undefined, { ...newPlayer(), document: KEY_HOLDER });
    await completeWithdrawal(operator, {
      player,
      fields: { destination: { pix: { key_type: 'email', key: SLOW_TO_ANSWER } } },
    });
  }
  return failpoint;
}

async function comeBack(environment: Environment, arm: SetTrapAt): Promise<ArmedFailpoint> {
  const { operator } = environment;
  const id = await completeWithdrawal(operator, { player: await operator.fundedPlayer() });
  await untilRunEnds(environment, id);
  const failpoint = arm();
  await operator.steer(id, 'return');
  await operator.reaches(`/v1/withdrawals/${id}`, ['returned']);
  return failpoint;
}

async function deliverAgain({ operator, links, database }: Environment, arm: SetTrapAt): Promise<ArmedFailpoint> {
  links.webhooks.cut();
  const { id } = await operator.deposit();
  await operator.reaches(`/v1/deposits/${id}`, ['pending']);
  const { rows } = await database.query<{ id: string }>('SELECT id FROM event WHERE object_id = $1', [id]);
  const event = rows[0]?.id;
  // On a busy machine it may come late, and would succeed once the link is whole again.
  await eventually(
    async () => (await database.query('SELECT 1 FROM webhook_delivery WHERE event_id = $1', [event])).rowCount !== 0,
    'a first delivery that failed',
    30_000,
  );
  // The repeats are made by a workflow of the event's own.
  const failpoint = arm(event);
  links.webhooks.heal();
  await within(60_000, failpoint.hit, 'a second delivery');
  return failpoint;
}

/** The run that reopens an ended payment loads it; the run that paid it still notifies the operator. */
async function untilRunEnds({ servers }: Environment, workflowId: string): Promise<void> {
  const connection = await Connection.connect({ address: servers.temporal.address });
  try {
    await within(60_000, new Client({ connection }).workflow.getHandle(workflowId).result(), 'the end of the run');
  } finally {
    await connection.close();
  }
}
