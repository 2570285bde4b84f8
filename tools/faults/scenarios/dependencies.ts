// What the gateway leans on is gone: nonces, limits, keys and the ledger (all in PostgreSQL), Temporal, the vault, the
// disk.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually } from '../../harness/eventually.js';
import type { Environment, LinkName } from '../environment/environment.js';
import type { Answer } from '../environment/requests.js';
import type { Scenario, ScenarioContext } from '../scenario.js';
import { diskFull } from './disk-full.js';

/** Nobody waits longer than this for a 503. */
const ANSWERED_WITHIN_MS = 12_000;

const GONE: readonly [link: LinkName, what: string, how: 'cut' | 'hold', bounded: boolean][] = [
  ['postgres-api', 'PostgreSQL (nonces, limits, keys) refuses connections', 'cut', true],
  ['postgres-api', 'PostgreSQL (nonces, limits, keys) takes connections and never answers', 'hold', false],
  ['temporal-api', 'Temporal refuses connections', 'cut', false],
  ['temporal-api', 'Temporal takes connections and never answers', 'hold', false],
];

export const dependencies: readonly Scenario[] = [
  ...GONE.map(([link, what, how, bounded]): Scenario => ({
    family: 'dependencies',
    name: `for the api ${what}`,
    holds:
      `creations are answered 503 service_unavailable with Retry-After within ${ANSWERED_WITHIN_MS / 1_000} s; ` +
      'nothing is written; the same keys are decided once it is back',
    bounded,
    play: (context) => gone(context, link, how),
  })),
  diskFull,
];

async function gone({ environment }: ScenarioContext, link: LinkName, how: 'cut' | 'hold'): Promise<void> {
  const { operator } = environment;
  const player = await operator.fundedPlayer();
  const kinds = operator.bank.sendsPayouts ? (['deposit', 'withdrawal'] as const) : (['deposit'] as const);
  const entries = await Promise.all(
    kinds.map(async (kind) => {
      const { body } = await operator.wanted(kind, kind === 'withdrawal' ? { player } : {});
      return operator.entryFor(randomUUID(), `/v1/${kind}s`, JSON.stringify(body));
    }),
  );
  const before = await written(environment);
  environment.links[link][how]();
  for (const entry of [...entries, ...entries]) {
    const asked = performance.now();
    const answer = await operator.postOnce(entry);
    const tookMs = Math.round(performance.now() - asked);
    assert.ok(tookMs < ANSWERED_WITHIN_MS, `it took ${tookMs} ms to say ${answer?.status ?? 'nothing'}`);
    assertUnavailable(answer);
  }
  if (link === 'postgres-api') assertUnavailable(await operator.once({ method: 'GET', target: '/v1/balances' }));
  assert.equal(await written(environment), before, 'something was written');
  environment.links[link].heal();
  for (const entry of entries) {
    let last: Answer | null = null;
    await eventually(
      async () => ((last = await operator.postOnce(entry)) as Answer | null)?.status === 201 || last?.status === 202,
      'the repeat is decided',
      90_000,
    );
  }
}

function assertUnavailable(answer: Answer | null): void {
  assert.deepEqual(
    [answer?.status, answer === null ? undefined : (JSON.parse(answer.text) as { code: string }).code],
    [503, 'service_unavailable'],
  );
  assert.match(String(answer?.headers['retry-after']), /^[1-9]\d*$/);
}

/** Payments, events, entries: what a refused request must leave alone. A released key stays, to be taken again. */
async function written({ database }: Environment): Promise<string> {
  const { rows } = await database.query<{ counts: string }>(
    `SELECT concat_ws(' ', (SELECT count(*) FROM deposit), (SELECT count(*)
      FROM withdrawal), (SELECT count(*) FROM event), (SELECT count(*) FROM ledger_entry)) AS counts`,
  );
  return rows[0]?.counts ?? '';
}
