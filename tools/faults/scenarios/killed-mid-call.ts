// The worker is killed in the middle of an HTTP call to the provider: the request is still on its way, or its answer is. What was under way
// arrives later, when its sender is long gone.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kind, leaveLostSends, liveDeposit, liveWithdrawal } from '../lives.js';
import type { Direction, HeldConnection } from '../../harness/network-link.js';
import type { Scenario, Stage } from '../scenario.js';
import { eventually } from '../../harness/eventually.js';
import { readBooks } from '../../harness/provider-books.js';

const CALLS: readonly [kind: Kind, activity: string, asks: string][] = [
  ['deposit', 'openDeposit', 'for a charge'],
  ['deposit', 'examineCharge', 'about a payment'],
  ['withdrawal', 'sendPayout', 'to send a payout'],
  ['withdrawal', 'lookUpPayout', 'about a payout'],
];
const WAYS: readonly [direction: Direction, what: string][] = [
  ['up', 'the request arrives after its sender is gone'],
  ['down', 'the answer is lost'],
];

export const killedMidCall: readonly Scenario[] = CALLS.flatMap(([kind, activity, asks]) =>
  WAYS.map(([direction, what]): Scenario => ({
    family: 'processes',
    name: `worker killed while it asks the provider ${asks}: ${what}`,
    holds: 'the provider has one charge, one payout; the payment goes on from what the provider says',
    bounded: activity === 'sendPayout' && direction === 'up',
    play: (stage) => playCall(stage, kind, activity, direction),
  })),
);

async function playCall(stage: Stage, kind: Kind, activity: string, direction: Direction): Promise<void> {
  const { field } = stage;
  const { operator, desk, links } = field;
  const player = kind === 'withdrawal' ? await operator.fundedPlayer() : undefined;
  let caller: number | undefined;
  const trap = desk.set({
    point: `activity.${activity}.before`,
    react: ({ pid }) => {
      caller = pid;
      links.provider.hold(direction);
    },
  });
  const life = player === undefined ? liveDeposit(operator) : liveWithdrawal(operator, { player });
  const ending = life.then(
    () => null,
    (error: unknown) => error,
  );
  await trap.snapped;
  await eventually(() => links.provider.held().length > 0, 'a call that is held', 10_000);
  const late = links.provider.held() as readonly HeldConnection[];
  assert.ok(caller !== undefined);
  process.kill(caller, 'SIGKILL');
  for (const connection of late) connection.keep();
  // The other worker reaches the provider, which has not seen the request (or has, and nobody heard of it).
  links.provider.heal();
  await sleep(LATE_MS);
  const before = await effects(stage);
  for (const connection of late) connection.release();
  if (activity === 'sendPayout' && direction === 'up')
    await eventually(async () => (await effects(stage)) > before, 'the late request at the provider', 10_000);
  const error = await ending;
  await leaveLostSends(stage);
  if (error !== null) throw error;
}

/** How many charges and payouts the provider has. */
async function effects({ field }: Stage): Promise<number> {
  const { charges, payouts } = await readBooks(field.simulator.url);
  return charges.length + payouts.length;
}

/** Longer than the first look-ups of a payout that nobody answered for. */
const LATE_MS = 4_000;
