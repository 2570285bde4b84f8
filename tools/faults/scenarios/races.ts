// Everything that can end a payment, at the same moment, in an order that the seed draws. Several payments in one play.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { newPlayer } from '../../harness/payments.js';
import type { Environment } from '../environment/environment.js';
import type { Operator } from '../environment/operator.js';
import type { Answer } from '../environment/requests.js';
import type { Random } from '../random.js';
import type { Scenario, ScenarioContext } from '../scenario.js';
import { SENDS_PAYOUTS } from '../settings.js';
import { withOwnOperator } from './own-operator.js';
import { pendingDeposit } from './payments.js';

const PAYMENTS = 6;
/** The acts of one race begin within this. */
const SPREAD_MS = 400;

type Act = (operator: Operator, id: string) => Promise<Answer>;

const DEPOSIT_ACTS: Readonly<Record<string, Act>> = {
  cancel: (operator, id) => operator.post(`/v1/deposits/${id}/cancel`, undefined),
  pay: (operator, id) => operator.pay(id),
  expire: (operator, id) => operator.post(`/v1/sandbox/deposits/${id}/expire`, undefined),
  refund: (operator, id) => operator.post(`/v1/sandbox/deposits/${id}/refund`, undefined),
};
const WITHDRAWAL_ACTS: Readonly<Record<string, Act>> = {
  cancel: (operator, id) => operator.post(`/v1/withdrawals/${id}/cancel`, undefined),
  approve: (operator, id) => operator.steer(id, 'approve'),
  refuse: (operator, id) => operator.steer(id, 'reject'),
  'the provider pays': (operator, id) => operator.steer(id, 'pay'),
  'the provider fails': (operator, id) => operator.steer(id, 'fail'),
};

export const races: readonly Scenario[] = [
  {
    family: 'storms',
    name: `cancel × pay × expire × refund on each of ${PAYMENTS} deposits`,
    holds:
      'every answer of 200 says a state and a version that the deposit went through, in one of the allowed ways; ' +
      'a cancelled one is credited to nobody',
    bounded: false,
    play: (context) => withOwnOperator(context, (operator) => race(context, operator, 'deposit')),
  },
  {
    family: 'storms',
    name: `cancel × approve × refuse × the provider’s reply on each of ${PAYMENTS} withdrawals`,
    holds:
      'every answer of 200 says a state and a version that the withdrawal went through; what was cancelled or ' +
      'refused was never sent',
    bounded: false,
    at: SENDS_PAYOUTS,
    play: (context) => withOwnOperator(context, (operator) => race(context, operator, 'withdrawal')),
  },
];

async function race(
  { environment, random }: ScenarioContext,
  operator: Operator,
  kind: 'deposit' | 'withdrawal',
): Promise<void> {
  if (kind === 'withdrawal') await operator.fundedPlayer('1000000');
  const ids = await Promise.all(Array.from({ length: PAYMENTS }, () => startOf(operator, kind)));
  // Drawn before anything runs: what is awaited must not decide who draws next.
  const plans = ids.map((id) => ({ id, acts: planOf(kind === 'deposit' ? DEPOSIT_ACTS : WITHDRAWAL_ACTS, random) }));
  const answers = await Promise.all(
    plans.map(async ({ id, acts }) => ({ id, answers: await Promise.all(acts.map((act) => act(operator, id))) })),
  );
  for (const one of answers) await assertTrue(environment, kind, one.id, one.answers);
}

async function startOf(operator: Operator, kind: 'deposit' | 'withdrawal'): Promise<string> {
  return kind === 'deposit' ? pendingDeposit(operator) : (await operator.withdrawal({ player: newPlayer() })).id;
}

/** Each act once, some twice, each after its own pause. */
function planOf(acts: Readonly<Record<string, Act>>, random: Random): Act[] {
  const all = random.shuffled([...Object.values(acts), random.pick(Object.values(acts))]);
  return all.map((act) => {
    const pauseMs = random.below(SPREAD_MS);
    return async (operator, id) => {
      await sleep(pauseMs);
      return act(operator, id);
    };
  });
}

/** What was answered with 200 is what was stored at that version. */
async function assertTrue(
  { database }: Environment,
  kind: 'deposit' | 'withdrawal',
  id: string,
  answers: readonly Answer[],
): Promise<void> {
  const { rows } = await database.query<{ type: string; object_version: number }>(
    'SELECT type, object_version FROM event WHERE object_id = $1',
    [id],
  );
  const went = new Map(rows.map(({ type, object_version }) => [object_version, type.slice(kind.length + 1)]));
  for (const { status, text } of answers) {
    if (status !== 200) {
      assert.equal(status, 409, `an act on ${id} was answered ${status} ${text.slice(0, 200)}`);
      continue;
    }
    const said = JSON.parse(text) as { status: string; version: number };
    assert.equal(said.status, went.get(said.version), `${id} was said to be ${said.status} at version ${said.version}`);
  }
  assert.ok(
    answers.some(({ status }) => status === 200),
    `nothing could be done with ${id}`,
  );
}
