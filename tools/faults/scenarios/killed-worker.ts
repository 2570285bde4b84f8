// The worker that runs it is killed before and after every activity of both life cycles; another one goes on.
import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import { request } from 'undici';
import { eventually, within } from '../../harness/eventually.js';
import { killProcess, type ArmedFailpoint } from '../environment/failpoint-server.js';
import type { Environment } from '../environment/environment.js';
import { type Kind, completeDeposit, completeWithdrawal } from '../workload.js';
import type { Scenario, ScenarioContext } from '../scenario.js';

/** The activities of a deposit that is created, paid and told of, and of a withdrawal that is approved, sent and paid. */
export const ACTIVITIES = {
  deposit: ['decideDeposit', 'openDeposit', 'storeDeposit', 'examineCharge', 'deliverEvent'],
  withdrawal: [
    'decideWithdrawal',
    'admitWithdrawal',
    'storeWithdrawal',
    'decideDispatch',
    'sendPayout',
    'lookUpPayout',
    'deliverEvent',
  ],
} as const;

type SetTrapAt = (subject?: string) => ArmedFailpoint;

/** The others are reached on a longer way only. */
interface Detour {
  readonly activity: string;
  readonly of: string;
  /** Sets the failpoint when the way there begins. */
  go(environment: Environment, arm: SetTrapAt): Promise<ArmedFailpoint>;
}

/** The simulator makes the charge and never answers the first request for it. */
const SILENT_CHARGE = '66604';
/** The simulator reports another payer. */
const ANOTHER_PAYER = '66609';

const DETOURS: readonly Detour[] = [
  { activity: 'createCharge', of: 'a deposit whose provider did not answer', go: createAnew },
  { activity: 'returnPayment', of: 'a deposit that goes back to its payer', go: returnToPayer },
  { activity: 'loadDeposit', of: 'a paid deposit that is refunded', go: refund },
  { activity: 'raiseAlert', of: 'a paid deposit of which a part is taken back', go: takePartBack },
  { activity: 'lookUpKeyOwner', of: 'a withdrawal to an e-mail key', go: withdrawToEmail },
  { activity: 'loadWithdrawal', of: 'a paid withdrawal that comes back', go: comeBack },
  { activity: 'deliverEvent', of: 'an event whose first delivery failed', go: deliverAgain },
];

/** Where a life cycle's money moves. */
const BOUNDED = new Set(['openDeposit.after', 'storeWithdrawal.after', 'sendPayout.before', 'sendPayout.after']);
const SIDES = ['before', 'after'] as const;

export const killedWorker: readonly Scenario[] = [
  ...(['deposit', 'withdrawal'] as const).flatMap((kind) =>
    ACTIVITIES[kind].flatMap((activity) =>
      SIDES.map((side) =>
        killed(`${side} ${activity} of a ${kind}`, BOUNDED.has(`${activity}.${side}`), (context) =>
          playOnTheWay(context, kind, `activity.${activity}.${side}`),
        ),
      ),
    ),
  ),
  ...DETOURS.flatMap((detour) =>
    SIDES.map((side) =>
      killed(`${side} ${detour.activity} of ${detour.of}`, false, (context) =>
        playDetour(context, detour, `activity.${detour.activity}.${side}`),
      ),
    ),
  ),
];

function killed(where: string, bounded: boolean, play: Scenario['play']): Scenario {
  return {
    family: 'processes',
    name: `worker killed ${where}`,
    holds: 'the other worker takes it up; the payment ends as it should',
    bounded,
    play,
  };
}

async function playOnTheWay({ environment }: ScenarioContext, kind: Kind, point: string): Promise<void> {
  const player = kind === 'withdrawal' ? await environment.operator.fundedPlayer() : undefined;
  const failpoint = environment.failpoints.set({ point, react: killProcess });
  await (player === undefined
    ? completeDeposit(environment.operator)
    : completeWithdrawal(environment.operator, { player }));
  assert.ok(failpoint.wasHit(), `no process reached ${point}`);
}

async function playDetour({ environment }: ScenarioContext, detour: Detour, point: string): Promise<void> {
  const failpoint = await detour.go(environment, (subject) =>
    environment.failpoints.set({ point, react: killProcess, ...(subject === undefined ? {} : { subject }) }),
  );
  assert.ok(failpoint.wasHit(), `no process reached ${point}`);
}

async function createAnew({ operator }: Environment, arm: SetTrapAt): Promise<ArmedFailpoint> {
  const failpoint = arm();
  await completeDeposit(operator, { amountMinor: SILENT_CHARGE });
  return failpoint;
}

async function returnToPayer({ operator, gateway }: Environment, arm: SetTrapAt): Promise<ArmedFailpoint> {
  const id = await completeDeposit(operator, { amountMinor: ANOTHER_PAYER });
  await operator.reaches(`/v1/deposits/${id}`, ['under_review']);
  const failpoint = arm();
  // Longer than the command waits, where a worker is killed meanwhile: the return goes on by itself.
  await gateway('review', 'return', id, '--as', 'ana', '--reason', 'another payer').catch(() => undefined);
  await operator.reaches(`/v1/deposits/${id}`, ['returned']);
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

async function takePartBack({ operator, simulator, database }: Environment, arm: SetTrapAt): Promise<ArmedFailpoint> {
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
  await within(60_000, failpoint.hit, 'the alert is raised');
  await eventually(
    async () =>
      (await database.query(`SELECT 1 FROM alert WHERE object_id = $1 AND kind = 'PARTIAL_REVERSAL'`, [id]))
        .rowCount === 1,
    'the alert',
    60_000,
  );
  return failpoint;
}

async function withdrawToEmail({ operator }: Environment, arm: SetTrapAt): Promise<ArmedFailpoint> {
  const player = await operator.fundedPlayer();
  const failpoint = arm();
  await completeWithdrawal(operator, {
    player,
    fields: { destination: { pix: { key_type: 'email', key: `${player.external_ref}@player.test` } } },
  });
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
  // The repeats are made by a workflow of the event's own.
  const failpoint = arm(rows[0]?.id);
  links.webhooks.heal();
  await within(60_000, failpoint.hit, 'a second delivery');
  return failpoint;
}

/** A payment is loaded by the run that takes up what has ended; the run that paid it still tells the operator. */
async function untilRunEnds({ servers }: Environment, workflowId: string): Promise<void> {
  const connection = await Connection.connect({ address: servers.temporal.address });
  try {
    await within(60_000, new Client({ connection }).workflow.getHandle(workflowId).result(), 'the end of the run');
  } finally {
    await connection.close();
  }
}
