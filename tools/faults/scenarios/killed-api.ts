// The api process is killed at every step of a creation; the operator repeats its request at the other one, with the
// same key.
import { randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import { API_FAILPOINTS } from '../../../platform/failpoints/failpoints.js';
import { killProcess } from '../environment/failpoint-server.js';
import type { Operator } from '../environment/operator.js';
import { isDecision } from '../environment/requests.js';
import type { ApiPoint } from '../points.js';
import { PLAYED_WITH } from '../settings.js';
import type { Scenario, ScenarioContext } from '../scenario.js';

const PLACES: readonly [point: ApiPoint, where: string][] = [
  [API_FAILPOINTS.claiming, 'before it claims the key'],
  [API_FAILPOINTS.claimed, 'after it has claimed the key'],
  [API_FAILPOINTS.recording, 'after the workflow has answered'],
  [API_FAILPOINTS.replying, 'before it replies'],
];

export const killedApi: readonly Scenario[] = (['deposit', 'withdrawal'] as const).flatMap((kind) =>
  PLACES.map(([point, where]): Scenario => ({
    family: 'processes',
    name: `api killed at a ${kind} ${where}`,
    holds: 'the repeat, at the other api, is decided; there is one payment',
    bounded: kind === 'withdrawal' && point === API_FAILPOINTS.recording,
    at: PLAYED_WITH[kind],
    play: (context) => playAt(context, kind, point),
  })),
);

async function playAt(
  { environment }: ScenarioContext,
  kind: 'deposit' | 'withdrawal',
  point: ApiPoint,
): Promise<void> {
  const { operator } = environment;
  const { body, target } = await creationOf(operator, kind);
  const failpoint = environment.failpoints.set({ point, react: killProcess });
  const entry = operator.entryFor(randomUUID(), target, JSON.stringify(body));
  const first = await operator.postOnce(entry, 0);
  assert.ok(failpoint.wasHit(), `no process reached ${point}`);
  // Nothing, or the edge's error that no api answered.
  assert.ok(!isDecision(first), `the killed api answered ${first?.status}`);
  // The reservation of the dead run lapses after 30 s; until then a repeat is answered that it is in progress.
  const answer = await operator.post(target, body, entry.key);
  assert.ok(
    isDecision(answer) && answer.status < 300,
    `the repeat was answered ${answer.status} ${answer.text.slice(0, 200)}`,
  );
  const { rowCount } = await environment.database.query(`SELECT 1 FROM ${kind} WHERE external_id = $1`, [
    body.external_id,
  ]);
  assert.equal(rowCount, 1);
}

async function creationOf(operator: Operator, kind: 'deposit' | 'withdrawal') {
  const wish = kind === 'deposit' ? {} : { player: await operator.fundedPlayer() };
  const { body } = await operator.wanted(kind, wish);
  return { body, target: `/v1/${kind}s` };
}
