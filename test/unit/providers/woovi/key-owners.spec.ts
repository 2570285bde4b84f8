// Key checks at Woovi: what is proof, what only looks like it, and what the account's tokens allow.
import assert from 'node:assert/strict';
import { ANA, E2E, type FakeWoovi, openFakeWoovi } from './fake-woovi.js';

const KEY = 'ana@player.test';
const CHECK = `GET /pix-keys/${encodeURIComponent(KEY)}/check`;
const TOKENS = 'GET /pix-keys/tokens';
const shows = (taxID: string) => ({
  json: { pixKey: KEY, type: 'EMAIL', pixKeyEndToEndId: E2E, owner: { name: 'Ana', taxID } },
});
const tokens = (left: number) => ({
  json: {
    tokens: left,
    maxTokens: 500,
    nextRefresh: new Date(Date.now() + 30_000).toISOString(),
    tokensAfterRefresh: 500,
    refreshRate: 20,
  },
});

describe('key checks at Woovi', () => {
  let woovi: FakeWoovi;
  before(async () => {
    woovi = await openFakeWoovi();
  });
  after(() => woovi.close());
  beforeEach(() => {
    woovi.says = { [TOKENS]: tokens(480) };
    woovi.requests.length = 0;
  });

  const ask = (provider = woovi.provider(), key = KEY) =>
    provider.lookUpKeyOwner({ operationId: 'op', key: { type: 'email', value: key }, expected: ANA });
  const say = (what: FakeWoovi['says'][string]) => {
    woovi.says = { ...woovi.says, [CHECK]: what };
    return ask();
  };
  const checks = () => woovi.requests.filter(({ path }) => path.endsWith('/check')).length;

  it('a masked CPF that fits is a weak match, never proof', async () =>
    assert.deepEqual(await say(shows('529.***.***-25')), { kind: 'match', strength: 'masked', endToEndId: E2E }));
  it('a masked CPF that does not fit is a mismatch', async () =>
    assert.deepEqual(await say(shows('111.***.***-35')), { kind: 'mismatch' }));
  it('a company’s whole number is not a person’s', async () =>
    assert.deepEqual(await say(shows('00.000.000/0001-91')), { kind: 'mismatch' }));
  it('a mask that hides all says nothing', async () =>
    assert.deepEqual(await say(shows('***.***.***-**')), {
      kind: 'unavailable',
      reason: 'owner_fully_masked',
      retryAfterSeconds: null,
    }));

  it('no such key: by its code only', async () => {
    assert.deepEqual(await say({ status: 404, json: { error: 'x', errorCode: 'PIX_KEY_INFO_NOT_FOUND' } }), {
      kind: 'no_such_key',
    });
    assert.equal((await say({ status: 404, json: { error: 'Pix key not found' } })).kind, 'unavailable');
  });

  for (const [title, what, reason] of [
    [
      'not enabled',
      { status: 403, json: { error: 'x', errorCode: 'PIX_KEY_CHECK_NOT_ALLOWED' } },
      'key_check_not_allowed',
    ],
    [
      'suspected',
      { status: 400, json: { error: 'Pix key related to an account suspected of fraud' } },
      'key_suspected_of_fraud',
    ],
    ['directory down', { status: 400, json: { error: 'Error verifying pix key' } }, 'directory_unavailable'],
    ['other words', { status: 400, json: { error: 'Hm' } }, 'http_400'],
    ['a broken answer', { json: { owner: {} } }, 'unreadable_answer'],
  ] as const)
    it(`${title} → unavailable: ${reason}`, async () => {
      const found = await say(what);
      assert.equal(found.kind === 'unavailable' && found.reason, reason);
    });

  it('tokens are asked for first, once for a while, and too few of them hold the question back', async () => {
    woovi.says = { [TOKENS]: tokens(19), [CHECK]: shows('529.***.***-25') };
    const provider = woovi.provider();
    const held = await ask(provider);
    assert.ok(held.kind === 'unavailable' && held.reason === 'key_budget_spent' && (held.retryAfterSeconds ?? 0) <= 30);
    await ask(provider);
    assert.deepEqual([checks(), woovi.requests.length], [0, 1]);
  });

  it('tokens unknown → a small budget is assumed, and the question is asked', async () => {
    woovi.says = { [CHECK]: shows('529.***.***-25') };
    assert.equal((await ask()).kind, 'match');
  });

  it('429 → no more questions for a while', async () => {
    const provider = woovi.provider();
    woovi.says = {
      ...woovi.says,
      [CHECK]: {
        status: 429,
        headers: { 'retry-after': '7' },
        json: { error: 'You tried…', errorCode: 'TOO_MANY_REQUESTS' },
      },
    };
    assert.deepEqual(await ask(provider), { kind: 'unavailable', reason: 'key_budget_spent', retryAfterSeconds: 7 });
    assert.equal((await ask(provider)).kind, 'unavailable');
    assert.equal(checks(), 1);
  });

  it('a malformed key costs no call', async () => {
    assert.deepEqual(await ask(woovi.provider(), 'Ana @x'), { kind: 'no_such_key' });
    assert.equal(woovi.requests.length, 0);
  });
});
