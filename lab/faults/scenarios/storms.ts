// Many at once, over two apis: the same key, the same external_id, one balance.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../environment/environment.js';
import type { JournalEntry, Operator } from '../environment/operator.js';
import type { Answer } from '../environment/requests.js';
import type { Scenario } from '../scenario.js';
import type { Kind } from '../workload.js';
import { withOwnOperator } from './own-operator.js';

const REQUESTS = 200;
const WITHDRAWALS = 100;
const WITHDRAWAL_MINOR = 1_000;
/** The cash box has room for so many, and half of another one. */
const FITTING = 40;
/** How many of those that fit are sent. Staff refuse the others, which would take minutes. */
const SENT = 2;

export const storms: readonly Scenario[] = [
  ...(['deposit', 'withdrawal'] as const).flatMap((kind): Scenario[] => [
    {
      family: 'storms',
      name: `${REQUESTS} × the same key for a ${kind} over two api, half with another body`,
      holds:
        'one of the two bodies makes one payment and all its requests are answered alike; the other’s are all ' +
        '409 idempotency_key_reused',
      ...(kind === 'deposit' && { beforeRelease: true }),
      play: (context) => withOwnOperator(context, (operator) => sameKey(context.environment, operator, kind)),
    },
    {
      family: 'storms',
      name: `${REQUESTS} × the same external_id of a ${kind} with ${REQUESTS} keys over two api`,
      holds: 'one is created; the others are 409 duplicate_external_id and name it',
      play: (context) => withOwnOperator(context, (operator) => sameExternalId(context.environment, operator, kind)),
    },
  ]),
  {
    family: 'storms',
    name: `${WITHDRAWALS} withdrawals on one balance`,
    holds:
      `exactly the ${FITTING} that fit are created, the others are 422 insufficient_operation_balance; what is ` +
      'available is never below zero',
    play: (context) => withOwnOperator(context, (operator) => oneBalance(context.environment, operator)),
  },
];

async function creationsOf(operator: Operator, kind: Kind, externalId: string, amountMinor?: string) {
  if (kind === 'withdrawal') await operator.fundedPlayer('1000000');
  return async () =>
    (await operator.wanted(kind, { externalId, ...(amountMinor === undefined ? {} : { amountMinor }) })).body;
}

async function sameKey(environment: Environment, operator: Operator, kind: Kind): Promise<void> {
  const externalId = randomUUID();
  const create = await creationsOf(operator, kind, externalId);
  const key = randomUUID();
  const entries = await Promise.all(
    [create(), create()].map(async (body) => operator.entryFor(key, `/v1/${kind}s`, JSON.stringify(await body))),
  );
  const answers = await Promise.all(
    Array.from({ length: REQUESTS }, async (_, index) => ({
      body: index % 2,
      answer: await decided(operator, entries[index % 2] as JournalEntry, index),
    })),
  );
  const made = answers.filter(({ answer }) => answer.status < 300);
  const [winner] = new Set(made.map(({ body }) => body));
  assert.equal(made.length, REQUESTS / 2, `${made.length} requests were answered 2xx`);
  assert.ok(
    made.every(({ body }) => body === winner),
    'both bodies were answered 2xx',
  );
  assert.equal(
    new Set(made.map(({ answer }) => `${answer.status} ${answer.text}`)).size,
    1,
    'one body, several answers',
  );
  for (const { answer } of answers.filter(({ body }) => body !== winner))
    assert.deepEqual([answer.status, codeOf(answer)], [409, 'idempotency_key_reused']);
  await assertOne(environment, operator, kind, externalId);
}

async function sameExternalId(environment: Environment, operator: Operator, kind: Kind): Promise<void> {
  const externalId = randomUUID();
  // Each with its own player: one player's creations are limited by the hour.
  const create = await creationsOf(operator, kind, externalId);
  const bodies = await Promise.all(Array.from({ length: REQUESTS }, create));
  const answers = await Promise.all(
    bodies.map((body, index) =>
      decided(operator, operator.entryFor(randomUUID(), `/v1/${kind}s`, JSON.stringify(body)), index),
    ),
  );
  const made = answers.filter(({ status }) => status < 300);
  assert.equal(made.length, 1, `${made.length} were created`);
  const { id } = JSON.parse(made[0]?.text ?? '{}') as { id: string };
  for (const answer of answers.filter((one) => one !== made[0])) {
    assert.deepEqual([answer.status, codeOf(answer)], [409, 'duplicate_external_id']);
    assert.equal((JSON.parse(answer.text) as { existing: { id: string } }).existing.id, id);
  }
  await assertOne(environment, operator, kind, externalId);
}

async function assertOne(
  { database }: Environment,
  { operation }: Operator,
  kind: Kind,
  externalId: string,
): Promise<void> {
  const { rowCount } = await database.query(`SELECT 1 FROM ${kind} WHERE operation_id = $1 AND external_id = $2`, [
    operation.operation_id,
    externalId,
  ]);
  assert.equal(rowCount, 1);
}

async function oneBalance(environment: Environment, operator: Operator): Promise<void> {
  await operator.fundedPlayer(String(WITHDRAWAL_MINOR * FITTING + WITHDRAWAL_MINOR / 2));
  // Some banks take a fee of what they receive.
  const left = (await available(environment, operator)) - WITHDRAWAL_MINOR * FITTING;
  const bodies = await Promise.all(
    Array.from(
      { length: WITHDRAWALS },
      async () => (await operator.wanted('withdrawal', { amountMinor: String(WITHDRAWAL_MINOR) })).body,
    ),
  );
  const watched = watch(() => available(environment, operator));
  const answers = await Promise.all(
    bodies.map((body, index) =>
      decided(operator, operator.entryFor(randomUUID(), '/v1/withdrawals', JSON.stringify(body)), index),
    ),
  ).finally(watched.stop);
  const lowest = Math.min(...(await watched.seen));
  const made = answers.filter(({ status }) => status === 201);
  assert.equal(made.length, FITTING);
  for (const answer of answers.filter(({ status }) => status !== 201))
    assert.deepEqual([answer.status, codeOf(answer)], [422, 'insufficient_operation_balance']);
  assert.deepEqual([lowest, await available(environment, operator)], [left, left]);
  const ids = made.map(({ text }) => (JSON.parse(text) as { id: string }).id);
  await Promise.all(ids.slice(SENT).map((id) => operator.steer(id, 'reject')));
  assert.equal(await available(environment, operator), WITHDRAWAL_MINOR * (FITTING - SENT) + left);
}

/** Asks again and again until it is stopped. */
function watch(ask: () => Promise<number>): { readonly stop: () => void; readonly seen: Promise<number[]> } {
  let isOver = false;
  const seen = (async () => {
    const values: number[] = [];
    for (; !isOver; await sleep(50)) values.push(await ask());
    return values;
  })();
  // Looked at only where the rest went well.
  seen.catch(() => undefined);
  return { stop: () => void (isOver = true), seen };
}

async function available({ database }: Environment, { operation }: Operator): Promise<number> {
  const { rows } = await database.query<{ balance: string }>(
    "SELECT sum(balance_minor)::text AS balance FROM ledger_account WHERE operation_id = $1 AND account = 'available'",
    [operation.operation_id],
  );
  return Number(rows[0]?.balance ?? 0);
}

/** Each request at another api, and not all at the same moment. */
function decided(operator: Operator, entry: JournalEntry, api: number): Promise<Answer> {
  return operator.decided(entry, { api, pauseMs: 500 + (api % 10) * 50 });
}

function codeOf(answer: Answer | null): string | undefined {
  return answer === null ? undefined : (JSON.parse(answer.text) as { code?: string }).code;
}
