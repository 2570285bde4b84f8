// Requests that arrive after their client gave up, repeated them or did something else: none has a second effect.
import { randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../harness/eventually.js';
import type { JournalEntry, Operator } from '../environment/operator.js';
import { isDecision } from '../environment/requests.js';
import type { Kind } from '../workload.js';
import type { Scenario, ScenarioContext } from '../scenario.js';
import { PLAYED_WITH } from '../settings.js';

const TRIES = 5;
const DECIDED_WITHIN_MS = 60_000;

export const lateRequests: readonly Scenario[] = [
  ...(['deposit', 'withdrawal'] as const).flatMap((kind): Scenario[] => [
    {
      family: 'network',
      name: `${TRIES} tries of one ${kind} arrive in random order, after another try was decided`,
      holds: 'one payment; every late attempt is answered like the decided one, or with "in progress"',
      bounded: false,
      at: PLAYED_WITH[kind],
      play: (context) => playLateTries(context, kind, true),
    },
    {
      family: 'network',
      name: `${TRIES} tries of one ${kind} arrive in random order, all of them late`,
      holds: 'one payment',
      bounded: false,
      at: PLAYED_WITH[kind],
      play: (context) => playLateTries(context, kind, false),
    },
  ]),
  {
    family: 'network',
    name: 'a cancel arrives after the payer has paid',
    holds: 'the deposit stays paid',
    bounded: false,
    play: playLateCancel,
  },
];

async function playLateTries(context: ScenarioContext, kind: Kind, decidedBefore: boolean): Promise<void> {
  const { environment, random } = context;
  const { operator } = environment;
  const link = environment.links['requests-1'];
  const entry = await creation(operator, kind);
  link.hold('up');
  const tries = Array.from({ length: TRIES }, () => operator.postOnce(entry, 0));
  await eventually(() => link.held().length === TRIES, 'every try is held');
  if (decidedBefore) assert.ok((await operator.decided(entry, { api: 1, timeoutMs: DECIDED_WITHIN_MS })).status < 300);
  const unanswered = await Promise.all(tries);
  // An edge may answer that no api answered.
  assert.deepEqual(unanswered.filter(isDecision), [], 'a held request was answered');
  // The clients are gone; what they had sent comes now.
  for (const connection of random.shuffled(link.held())) {
    connection.release();
    await sleep(random.below(50));
  }
  link.heal();
  await sleep(2_000);
  assert.ok((await operator.decided(entry, { timeoutMs: DECIDED_WITHIN_MS })).status < 300);
  const { external_id: externalId } = JSON.parse(entry.body) as { external_id: string };
  const { rowCount } = await environment.database.query(`SELECT 1 FROM ${kind} WHERE external_id = $1`, [externalId]);
  assert.equal(rowCount, 1);
}

async function creation(operator: Operator, kind: Kind): Promise<JournalEntry> {
  const wish = kind === 'deposit' ? {} : { player: await operator.fundedPlayer() };
  const { body } = await operator.wanted(kind, wish);
  return operator.entryFor(randomUUID(), `/v1/${kind}s`, JSON.stringify(body));
}

async function playLateCancel({ environment }: ScenarioContext): Promise<void> {
  const { operator, links } = environment;
  const { id } = await operator.deposit();
  await operator.reaches(`/v1/deposits/${id}`, ['pending']);
  const link = links['requests-1'];
  link.hold('up');
  const cancel = operator.postOnce(operator.entryFor(randomUUID(), `/v1/deposits/${id}/cancel`, ''), 0);
  await eventually(() => link.held().length === 1, 'the cancel is held');
  assert.ok(!isDecision(await cancel), 'a held cancel was answered');
  // At the other api: this one's link is dead.
  operator.reachThrough(environment.entrances.perApi[1]);
  await operator.pay(id);
  await operator.reaches(`/v1/deposits/${id}`, ['paid']);
  for (const connection of link.held()) connection.release();
  await sleep(2_000);
  assert.equal(await operator.status(`/v1/deposits/${id}`), 'paid');
}
