// Clocks that disagree: of the api processes with the operator's, of the workers with everybody's; keys near the end of
// their thirty days.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../harness/eventually.js';
import type { Environment } from '../environment/environment.js';
import { withClockOff } from '../environment/node.js';
import type { Operator } from '../environment/operator.js';
import { pays } from '../environment/provider.js';
import type { Answer } from '../environment/requests.js';
import type { Scenario, ScenarioContext } from '../scenario.js';

const WINDOW_SECONDS = 300;
/** The window is of whole seconds: a request that begins with one has most of it to arrive. */
const TRIES = 8;
/** The clocks that an operator sees may differ by that much from ours: the machine is busy. */
const NEAR_MS = 60_000;

export const clocks: readonly Scenario[] = [
  {
    family: 'clocks',
    name:
      `the two api disagree by ${2 * WINDOW_SECONDS} s: one is ${WINDOW_SECONDS} s ahead of the operator, one ` +
      `${WINDOW_SECONDS} s behind`,
    holds:
      'both serve; no request is accepted by both; one key is one payment; times in answers come from neither clock',
    bounded: false,
    play: (context) => apart(context),
  },
  {
    family: 'clocks',
    name: `the two api are ${WINDOW_SECONDS + 1} s ahead and behind`,
    holds: 'both answer 401 timestamp_out_of_window; nothing is written; payments in progress continue',
    bounded: false,
    play: (context) => beyond(context),
  },
  {
    family: 'clocks',
    name: `the workers are ${WINDOW_SECONDS + 1} s ahead and behind`,
    holds:
      'no deposit expires early, no time of a payment comes from these clocks; GET /events has the webhooks that ' +
      'the operator refused for their timestamp',
    bounded: false,
    play: (context) => workersOff(context),
  },
  {
    family: 'clocks',
    name: 'an Idempotency-Key repeated on day 29 and on day 31',
    holds:
      'day 29 replays byte for byte; day 31 is a new request, which the external_id refuses; the sweeper removes ' +
      'the old one only',
    bounded: false,
    play: (context) => thirtyDays(context),
  },
];

async function apart({ environment }: ScenarioContext): Promise<void> {
  const { operator } = environment;
  await setClocks(environment, WINDOW_SECONDS, -WINDOW_SECONDS);
  assert.deepEqual([await anyServes(operator, 0), await anyServes(operator, 1)], [true, true]);
  const { body } = await operator.wanted('deposit', {});
  const entry = operator.entryFor(randomUUID(), '/v1/deposits', JSON.stringify(body));
  const created = await untilDecided(operator, entry, 0);
  const again = await untilDecided(operator, entry, 1);
  assert.deepEqual([created.status < 300, again.text, again.replayed], [true, created.text, true]);
  const { id, created_at, expires_at } = JSON.parse(created.text) as {
    id: string;
    created_at: string;
    expires_at: string;
  };
  assertNear(Date.parse(created_at), Date.now(), 'created_at');
  assertNear(Date.parse(expires_at), Date.now() + 1_800_000, 'expires_at');
  await operator.reaches(`/v1/deposits/${id}`, ['pending', 'paid']);
}

async function beyond({ environment }: ScenarioContext): Promise<void> {
  const { operator } = environment;
  const { id } = await operator.deposit();
  await setClocks(environment, WINDOW_SECONDS + 1, -(WINDOW_SECONDS + 1));
  const before = await rows(environment);
  for (const api of [0, 1]) {
    const { body } = await operator.wanted('deposit', {});
    const call = {
      method: 'POST' as const,
      target: '/v1/deposits',
      idempotencyKey: randomUUID(),
      body: JSON.stringify(body),
    };
    const answers: (Answer | null)[] = [];
    for (let tries = 0; tries < TRIES && codeOf(answers.at(-1)) !== 'timestamp_out_of_window'; tries += 1)
      answers.push(
        await atTheBeginningOfASecond(() => operator.once({ ...call, method: 'GET', target: '/v1/ping' }, api)),
      );
    assert.deepEqual([answers.at(-1)?.status, codeOf(answers.at(-1))], [401, 'timestamp_out_of_window']);
  }
  assert.deepEqual(await rows(environment), before, 'something was written');
  // The provider's callbacks are not operators' requests: a payment continues.
  await pays(environment, id);
  const isPaid = async () =>
    (await environment.database.query('SELECT 1 FROM deposit WHERE id = $1 AND status = $2', [id, 'paid'])).rowCount ===
    1;
  await eventually(isPaid, 'the deposit is paid', NEAR_MS);
}

async function workersOff({ environment }: ScenarioContext): Promise<void> {
  const { operator } = environment;
  const [first, second] = environment.workers;
  await Promise.all([
    first.restart(withClockOff(WINDOW_SECONDS + 1)),
    second.restart(withClockOff(-(WINDOW_SECONDS + 1))),
  ]);
  // The shortest that may be asked for: a clock of theirs would end it at once.
  const payments = await Promise.all(
    Array.from({ length: 4 }, () => operator.deposit({ fields: { expires_in_seconds: WINDOW_SECONDS } })),
  );
  await sleep(5_000);
  for (const { id } of payments) {
    const answer = await operator.get(`/v1/deposits/${id}`);
    const { status, created_at, expires_at } = JSON.parse(answer.text) as Record<string, string>;
    assert.ok(status === 'pending' || status === 'created', status);
    assertNear(Date.parse(created_at ?? ''), Date.now(), 'created_at');
    assertNear(Date.parse(expires_at ?? ''), Date.now() + WINDOW_SECONDS * 1_000, 'expires_at');
  }
  await Promise.all(
    payments.map(async ({ id }) => {
      await operator.reaches(`/v1/deposits/${id}`, ['pending']);
      await operator.pay(id);
      await operator.reaches(`/v1/deposits/${id}`, ['paid']);
    }),
  );
}

async function thirtyDays({ environment }: ScenarioContext): Promise<void> {
  const { operator } = environment;
  const ages = await Promise.all(
    [29, 31].map(async (days) => {
      const { body } = await operator.wanted('deposit', {});
      const call = {
        method: 'POST' as const,
        target: '/v1/deposits',
        idempotencyKey: randomUUID(),
        body: JSON.stringify(body),
      };
      // In no journal: what the campaign repeats at the end is another day's.
      const first = await untilAnswered(operator, call);
      assert.ok(first.status < 300, first.text);
      await environment.database.query(
        `UPDATE idempotency_key SET created_at = created_at - make_interval(days => $2), locked_at =
          locked_at - make_interval(days => $2) WHERE key = $1`,
        [call.idempotencyKey, days],
      );
      return { days, call, first };
    }),
  );
  const [young, old] = ages as [(typeof ages)[number], (typeof ages)[number]];
  const replayed = await untilAnswered(operator, young.call);
  assert.deepEqual([replayed.status, replayed.text, replayed.replayed], [young.first.status, young.first.text, true]);
  const afresh = await untilAnswered(operator, old.call);
  assert.deepEqual([afresh.status, codeOf(afresh), afresh.replayed], [409, 'duplicate_external_id', false]);
  await environment.database.query(
    "UPDATE idempotency_key SET created_at = created_at - interval '31 days' WHERE key = $1",
    [old.call.idempotencyKey],
  );
  const kept = async (key: string) =>
    (await environment.database.query('SELECT 1 FROM idempotency_key WHERE key = $1', [key])).rowCount === 1;
  await eventually(
    async () => !(await kept(old.call.idempotencyKey)),
    'the sweeper has removed the key of day 31',
    90_000,
  );
  assert.equal(await kept(young.call.idempotencyKey), true);
}

async function setClocks(
  { apis: [first, second] }: Environment,
  firstSeconds: number,
  secondSeconds: number,
): Promise<void> {
  await Promise.all([first.restart(withClockOff(firstSeconds)), second.restart(withClockOff(secondSeconds))]);
}

/** Whether one of a few requests is taken that begin with a second. */
async function anyServes(operator: Operator, api: number): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await atTheBeginningOfASecond(() => operator.once({ method: 'GET', target: '/v1/ping' }, api));
    if (answer?.status === 200) return true;
  }
  return false;
}

async function atTheBeginningOfASecond<Value>(task: () => Promise<Value>): Promise<Value> {
  await sleep(1_000 - (Date.now() % 1_000) + 5);
  return task();
}

/** At the edge of the window a request may be a moment late: it is asked again. */
async function untilDecided(operator: Operator, entry: ReturnType<Operator['entryFor']>, api: number): Promise<Answer> {
  return untilAnswered(
    operator,
    { method: 'POST', target: entry.target, idempotencyKey: entry.key, body: entry.body },
    api,
  );
}

async function untilAnswered(operator: Operator, call: Parameters<Operator['once']>[0], api?: number): Promise<Answer> {
  for (const deadline = Date.now() + 90_000; Date.now() < deadline;) {
    const answer = await atTheBeginningOfASecond(() => operator.once(call, api));
    const isLate = answer?.status === 401 || answer?.status === 429 || codeOf(answer) === 'idempotency_in_progress';
    if (answer !== null && answer.status < 500 && !isLate) return answer;
  }
  throw new Error(`${call.method} ${call.target} was not decided in 90 s`);
}

async function rows({ database }: Environment): Promise<string> {
  const counts = await database.query<{ counts: string }>(
    `SELECT concat_ws($1, (SELECT count(*) FROM deposit), (SELECT count(*)
      FROM idempotency_key), (SELECT count(*) FROM ledger_entry)) AS counts`,
    [' '],
  );
  return counts.rows[0]?.counts ?? '';
}

function assertNear(found: number, expected: number, what: string): void {
  assert.ok(Math.abs(found - expected) < NEAR_MS, `${what} is ${Math.round((found - expected) / 1_000)} s off`);
}

function codeOf(answer: Answer | null | undefined): string | undefined {
  return answer === null || answer === undefined ? undefined : (JSON.parse(answer.text) as { code?: string }).code;
}
