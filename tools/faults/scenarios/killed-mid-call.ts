// The worker is killed in the middle of an HTTP call to the provider: the request is still on its way, or its answer
// is. What was under way arrives later, when its sender is long gone.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kind, leaveLostSends, completeDeposit, completeWithdrawal } from '../workload.js';
import type { Direction, HeldConnection } from '../../harness/network-link.js';
import type { ActivityName } from '../points.js';
import type { Scenario, ScenarioContext } from '../scenario.js';
import { PLAYED_WITH } from '../settings.js';
import { eventually } from '../../harness/eventually.js';
import { readBooks } from '../../harness/provider-books.js';

const CALLS: readonly [kind: Kind, activity: ActivityName, asks: string][] = [
  ['deposit', 'openDeposit', 'for a charge'],
  ['deposit', 'examineChargeBriefly', 'about a payment'],
  ['withdrawal', 'sendPayout', 'to send a payout'],
  ['withdrawal', 'lookUpPayoutBriefly', 'about a payout'],
];
const WAYS: readonly [direction: Direction, what: string][] = [
  ['up', 'the request arrives after its sender is gone'],
  ['down', 'the answer is lost'],
];

export const killedMidCall: readonly Scenario[] = CALLS.flatMap(([kind, activity, asks]) =>
  WAYS.map(([direction, what]): Scenario => ({
    family: 'processes',
    name: `worker killed while it asks the provider ${asks}: ${what}`,
    holds: 'the provider has one charge, one payout; the payment continues from the provider’s answer',
    bounded: activity === 'sendPayout' && direction === 'up',
    at: PLAYED_WITH[kind],
    play: (context) => playCall(context, kind, activity, direction),
  })),
);

/** Several banks are asked for the balance first, and for a token. */
const SEND = /^(PUT|POST) (?!\S*token)/;

async function playCall(
  context: ScenarioContext,
  kind: Kind,
  activity: ActivityName,
  direction: Direction,
): Promise<void> {
  const { environment } = context;
  const { operator, failpoints, links } = environment;
  const player = kind === 'withdrawal' ? await operator.fundedPlayer() : undefined;
  let caller: number | undefined;
  const failpoint = failpoints.set({
    point: `activity.${activity}.before`,
    react: ({ pid }) => {
      caller = pid;
      links.provider.hold(direction);
    },
  });
  const life = player === undefined ? completeDeposit(operator) : completeWithdrawal(operator, { player });
  const ending = life.then(
    () => null,
    (error: unknown) => error,
  );
  await failpoint.hit;
  const isAwaited = ({ request }: HeldConnection) => activity !== 'sendPayout' || SEND.test(request);
  await eventually(
    () => {
      for (const other of links.provider.held()) if (!isAwaited(other)) other.release();
      return links.provider.held().length > 0;
    },
    'a call that is held',
    10_000,
  );
  const late = links.provider.held();
  assert.ok(caller !== undefined);
  process.kill(caller, 'SIGKILL');
  for (const connection of late) connection.keep();
  // The other worker reaches the provider, which has not seen the request (or has, without an answer arriving).
  links.provider.heal();
  await sleep(LATE_MS);
  const before = await effects(context);
  for (const connection of late) connection.release();
  if (activity === 'sendPayout' && direction === 'up')
    await eventually(async () => (await effects(context)) > before, 'the late request at the provider', 10_000);
  const error = await ending;
  await leaveLostSends(context);
  if (error !== null) throw error;
}

/** How many charges and payouts the provider has. */
async function effects({ environment }: ScenarioContext): Promise<number> {
  const { charges, payouts } = await readBooks(environment.simulator.url);
  return charges.length + payouts.length;
}

/** Longer than the first look-ups of a payout without an answer. */
const LATE_MS = 4_000;
