// The directory's budget is shared: one operation's unknown keys must not stop the look-ups of all others.
import assert from 'node:assert/strict';
import type { Provider } from '../../../providers/port.js';
import { openFakePsp, type FakePsp, type Say } from './fake-psp.js';

const personOf = (number: number) => ({ type: 'CPF', number: String(10_000_000_000 + number), country: 'BR' }) as const;
const MISS_COST = 20;
const MINUTE_MS = 60_000;

let psp: FakePsp;
let provider: Provider;
let nowMs: number;
/** The provider's own count. */
let tokens: number;
let keys: number;

beforeEach(async () => {
  psp = await openFakePsp();
  [nowMs, tokens, keys] = [0, 1_000, 0];
  provider = psp.provider('b', { now: () => nowMs });
});
afterEach(() => psp.close());

const reply = (response: Parameters<Extract<Say, (response: never) => void>>[0], status: number, json: object) =>
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'x-lookup-tokens': String(tokens),
      'x-lookup-refill-seconds': '60',
    })
    .end(JSON.stringify(json));
const miss: Say = (response) => {
  tokens -= MISS_COST;
  reply(response, 404, { error: { code: 'pix_key_not_found' } });
};
const hit: Say = (response) => reply(response, 200, { taxIDMatches: true });
const failure: Say = (response) => reply(response, 503, {});

/** Looks up a key that nobody asked about before, for a person of whom nobody did unless one is named. */
async function lookUp(operationId: string, say: Say, person?: number) {
  psp.next = [say];
  const key = { type: 'email', value: `key-${(keys += 1)}@player.test` } as const;
  return provider.lookUpKeyOwner({ operationId, key, expected: personOf(person ?? keys) });
}

/** Look-ups of unknown keys until one is held back, which is returned with the number of those before it. */
async function missesOf(operationId: string, person?: number) {
  for (let count = 0; count < 60; count += 1) {
    const answer = await lookUp(operationId, miss, person);
    if (answer.kind !== 'no_such_key') return { count, answer };
  }
  return { count: 60, answer: null };
}

describe('the budget of key look-ups', () => {
  it('an operation that asks for unknown keys is held back at half of it, and the others are served', async () => {
    const { count, answer } = await missesOf('op_1');
    assert.ok(answer?.kind === 'unavailable');
    assert.equal(answer.reason, 'key_budget_of_operation');
    assert.ok(answer.retryAfterSeconds !== null && answer.retryAfterSeconds >= 1 && answer.retryAfterSeconds <= 60);
    assert.deepEqual([count, tokens], [25, 500]);
    assert.equal((await lookUp('op_2', hit)).kind, 'match');
    assert.equal((await lookUp('op_1', hit)).kind, 'unavailable');
  });

  it('one after the other takes half of what is left, so there is some for the next', async () => {
    const counts = [];
    for (const operationId of ['op_1', 'op_2', 'op_3']) counts.push((await missesOf(operationId)).count);
    assert.deepEqual(counts, [25, 13, 6]);
    assert.equal((await lookUp('op_4', hit)).kind, 'match');
  });

  it('a person who asks for unknown keys is held back after ten; the others of the operation are served', async () => {
    const { count, answer } = await missesOf('op_1', -1);
    assert.ok(answer?.kind === 'unavailable');
    assert.equal(answer.reason, 'key_budget_of_person');
    assert.equal(count, 10);
    assert.equal((await lookUp('op_1', hit)).kind, 'match');
    assert.equal((await lookUp('op_2', hit, -1)).kind, 'match', 'another operation’s player is another player');
    nowMs = 30 * MINUTE_MS;
    assert.equal((await missesOf('op_1', -1)).count, 5);
  });

  it('what was spent is forgotten by half in half an hour', async () => {
    await missesOf('op_1');
    nowMs = 30 * MINUTE_MS;
    tokens = 1_000;
    assert.equal((await lookUp('op_1', hit)).kind, 'match');
    assert.equal((await missesOf('op_1')).count, 19);
  });

  it('keys that are found, and answers that say nothing, cost an operation nothing', async () => {
    for (let count = 0; count < 60; count += 1) {
      assert.equal((await lookUp('op_1', hit)).kind, 'match');
      assert.equal((await lookUp('op_1', failure)).kind, 'unavailable');
    }
    assert.equal((await missesOf('op_1')).count, 25);
  });

  it('questions under way count as unknown keys: fifty at once are not fifty misses', async () => {
    psp.next = Array.from({ length: 50 }, () => miss);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        provider.lookUpKeyOwner({
          operationId: 'op_1',
          key: { type: 'email', value: `at-once-${index}@player.test` },
          expected: personOf(index),
        }),
      ),
    );
    assert.equal(answers.filter(({ kind }) => kind === 'no_such_key').length, 25);
    assert.equal(tokens, 500);
  });

  it('a low report is not believed for ever: the budget fills up again', async () => {
    await missesOf('op_1');
    tokens = 40;
    assert.equal((await lookUp('op_2', hit)).kind, 'match');
    nowMs = 20 * MINUTE_MS;
    tokens = 440;
    assert.equal((await lookUp('op_1', hit)).kind, 'match');
  });

  it('a spent budget stops everybody, and nobody for longer than it must', async () => {
    tokens = 19;
    assert.equal((await lookUp('op_1', hit)).kind, 'match');
    const held = await lookUp('op_2', hit);
    assert.ok(held.kind === 'unavailable' && held.reason === 'key_budget_spent');
    nowMs = 60_000;
    assert.equal((await lookUp('op_2', hit)).kind, 'match');
  });
});
