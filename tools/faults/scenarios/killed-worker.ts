// The worker that runs it is killed before and after every activity of both life cycles; another one goes on.
import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import { request } from 'undici';
import { eventually, within } from '../../harness/eventually.js';
import { killThere, type SetTrap } from '../field/failpoint-desk.js';
import type { Field } from '../field/field.js';
import { type Kind, liveDeposit, liveWithdrawal } from '../lives.js';
import type { Scenario, Stage } from '../scenario.js';

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

type SetTrapAt = (subject?: string) => SetTrap;

/** The others are reached on a longer way only. */
interface Detour {
  readonly activity: string;
  readonly of: string;
  /** Sets the trap when the way there begins. */
  go(field: Field, setTrap: SetTrapAt): Promise<SetTrap>;
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
        killed(`${side} ${activity} of a ${kind}`, BOUNDED.has(`${activity}.${side}`), (stage) =>
          playOnTheWay(stage, kind, `activity.${activity}.${side}`),
        ),
      ),
    ),
  ),
  ...DETOURS.flatMap((detour) =>
    SIDES.map((side) =>
      killed(`${side} ${detour.activity} of ${detour.of}`, false, (stage) =>
        playDetour(stage, detour, `activity.${detour.activity}.${side}`),
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

async function playOnTheWay({ field }: Stage, kind: Kind, point: string): Promise<void> {
  const player = kind === 'withdrawal' ? await field.operator.fundedPlayer() : undefined;
  const trap = field.desk.set({ point, react: killThere });
  await (player === undefined ? liveDeposit(field.operator) : liveWithdrawal(field.operator, { player }));
  assert.ok(trap.hasSnapped(), `nobody came to ${point}`);
}

async function playDetour({ field }: Stage, detour: Detour, point: string): Promise<void> {
  const trap = await detour.go(field, (subject) =>
    field.desk.set({ point, react: killThere, ...(subject === undefined ? {} : { subject }) }),
  );
  assert.ok(trap.hasSnapped(), `nobody came to ${point}`);
}

async function createAnew({ operator }: Field, setTrap: SetTrapAt): Promise<SetTrap> {
  const trap = setTrap();
  await liveDeposit(operator, { amountMinor: SILENT_CHARGE });
  return trap;
}

async function returnToPayer({ operator, gateway }: Field, setTrap: SetTrapAt): Promise<SetTrap> {
  const id = await liveDeposit(operator, { amountMinor: ANOTHER_PAYER });
  await operator.reaches(`/v1/deposits/${id}`, ['under_review']);
  const trap = setTrap();
  // Longer than the command waits, where a worker is killed meanwhile: the return goes on by itself.
  await gateway('review', 'return', id, '--as', 'ana', '--reason', 'another payer').catch(() => undefined);
  await operator.reaches(`/v1/deposits/${id}`, ['returned']);
  return trap;
}

async function refund(field: Field, setTrap: SetTrapAt): Promise<SetTrap> {
  const { operator } = field;
  const id = await liveDeposit(operator);
  await untilRunEnds(field, id);
  const trap = setTrap();
  await operator.post(`/v1/sandbox/deposits/${id}/refund`, undefined);
  await operator.reaches(`/v1/deposits/${id}`, ['refunded']);
  return trap;
}

async function takePartBack({ operator, simulator, database }: Field, setTrap: SetTrapAt): Promise<SetTrap> {
  const id = await liveDeposit(operator);
  const trap = setTrap();
  const { statusCode } = await request(
    `${simulator.url}/control/simulator/charges/${id.slice('dep_'.length)}/reverse`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'refund', amount_minor: '1' }),
    },
  );
  assert.equal(statusCode, 200);
  await within(60_000, trap.snapped, 'the alert is raised');
  await eventually(
    async () =>
      (await database.query(`SELECT 1 FROM alert WHERE object_id = $1 AND kind = 'PARTIAL_REVERSAL'`, [id]))
        .rowCount === 1,
    'the alert',
    60_000,
  );
  return trap;
}

async function withdrawToEmail({ operator }: Field, setTrap: SetTrapAt): Promise<SetTrap> {
  const player = await operator.fundedPlayer();
  const trap = setTrap();
  await liveWithdrawal(operator, {
    player,
    fields: { destination: { pix: { key_type: 'email', key: `${player.external_ref}@player.test` } } },
  });
  return trap;
}

async function comeBack(field: Field, setTrap: SetTrapAt): Promise<SetTrap> {
  const { operator } = field;
  const id = await liveWithdrawal(operator, { player: await operator.fundedPlayer() });
  await untilRunEnds(field, id);
  const trap = setTrap();
  await operator.steer(id, 'return');
  await operator.reaches(`/v1/withdrawals/${id}`, ['returned']);
  return trap;
}

async function deliverAgain({ operator, links, database }: Field, setTrap: SetTrapAt): Promise<SetTrap> {
  links.webhooks.cut();
  const { id } = await operator.deposit();
  await operator.reaches(`/v1/deposits/${id}`, ['pending']);
  const { rows } = await database.query<{ id: string }>('SELECT id FROM event WHERE object_id = $1', [id]);
  // The repeats are made by a workflow of the event's own.
  const trap = setTrap(rows[0]?.id);
  links.webhooks.heal();
  await within(60_000, trap.snapped, 'a second delivery');
  return trap;
}

/** A payment is loaded by the run that takes up what has ended; the run that paid it still tells the operator. */
async function untilRunEnds({ servers }: Field, workflowId: string): Promise<void> {
  const connection = await Connection.connect({ address: servers.temporal.address });
  try {
    await within(60_000, new Client({ connection }).workflow.getHandle(workflowId).result(), 'the end of the run');
  } finally {
    await connection.close();
  }
}
