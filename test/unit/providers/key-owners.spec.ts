// Key look-ups: what masks, verdicts and odd answers become.
import assert from 'node:assert/strict';
import type { SlotName } from '../../../providers/port.js';
import { E2E, openFakePsp, type FakePsp, type Say } from './fake-psp.js';

const ANA = { type: 'CPF', number: '52998224725', country: 'BR' } as const;
const KEY = { type: 'email', value: 'ana@player.test' } as const;

let psp: FakePsp;
beforeEach(async () => {
  psp = await openFakePsp();
});
afterEach(() => psp.close());

const ask = (name: SlotName, say: Say) => {
  psp.next = [say];
  // Only silence is waited out.
  const keyLookupTimeoutMs = typeof say === 'function' ? 300 : 5_000;
  return psp.provider(name, { keyLookupTimeoutMs }).lookUpKeyOwner({ operationId: 'op_1', key: KEY, expected: ANA });
};
const ofA = (cpfCnpj: string): Say => ({ json: { proprietario: { cpfCnpj }, e2eId: E2E } });

describe('lookUpKeyOwner', () => {
  for (const [document, outcome] of [
    ['52998224725', { kind: 'match', strength: 'full', endToEndId: E2E }],
    ['529.982.247-25', { kind: 'match', strength: 'full', endToEndId: E2E }],
    ['***.982.247-**', { kind: 'match', strength: 'masked', endToEndId: E2E }],
    ['529.***.***-25', { kind: 'match', strength: 'masked', endToEndId: E2E }],
    ['***.982.248-**', { kind: 'mismatch' }],
    ['11144477735', { kind: 'mismatch' }],
    ['11222333000181', { kind: 'mismatch' }],
    ['982.247', { kind: 'unavailable', reason: 'owner_unreadable', retryAfterSeconds: null }],
    ['529982247251', { kind: 'unavailable', reason: 'owner_unreadable', retryAfterSeconds: null }],
    ['***.***.***-**', { kind: 'unavailable', reason: 'owner_fully_masked', retryAfterSeconds: null }],
  ] as const) {
    it(`holder ${document} → ${outcome.kind}`, async () => assert.deepEqual(await ask('a', ofA(document)), outcome));
  }

  it('a document that PIX does not have is not asked about', async () => {
    const expected = { type: 'PASSPORT', number: '11222333000181', country: 'BR' } as const;
    for (const name of ['simulator', 'a', 'b'] as const)
      assert.deepEqual(await psp.provider(name).lookUpKeyOwner({ operationId: 'op_1', key: KEY, expected }), {
        kind: 'unavailable',
        reason: 'document_not_supported',
        retryAfterSeconds: null,
      });
    assert.equal(psp.requests.length, 0);
  });

  it('yes and no', async () => {
    assert.deepEqual(await ask('b', { json: { taxIDMatches: true } }), {
      kind: 'match',
      strength: 'full',
      endToEndId: null,
    });
    assert.deepEqual(await ask('b', { json: { taxIDMatches: false } }), { kind: 'mismatch' });
  });

  const unavailable = (reason: string, retryAfterSeconds: number | null = null) => ({
    kind: 'unavailable',
    reason,
    retryAfterSeconds,
  });
  for (const [title, say, outcome] of [
    ['404 of the directory', { status: 404, json: { error: { code: 'pix_key_not_found' } } }, { kind: 'no_such_key' }],
    ['404 about something else', { status: 404, json: { error: { code: 'not_found' } } }, unavailable('http_404')],
    ['404 of a proxy', { status: 404, text: 'nope' }, unavailable('http_404')],
    ['400', { status: 400, json: { error: { code: 'invalid_request' } } }, unavailable('http_400')],
    ['429 with Retry-After', { status: 429, json: {}, headers: { 'retry-after': '17' } }, unavailable('http_429', 17)],
    [
      '503 with a date in Retry-After, by the clock of the answer',
      {
        status: 503,
        json: {},
        headers: { date: 'Fri, 31 Dec 2027 23:59:00 GMT', 'retry-after': 'Fri, 31 Dec 2027 23:59:59 GMT' },
      },
      unavailable('http_503', 59),
    ],
    ['an unreadable answer', { json: { taxIDMatches: 'yes' } }, unavailable('unreadable_answer')],
    ['silence', () => undefined, unavailable('timeout')],
  ] as const satisfies readonly (readonly [string, Say, unknown])[]) {
    it(`${title} → ${(outcome as { kind: string }).kind}`, async () => assert.deepEqual(await ask('b', say), outcome));
  }

  it('is kept for a minute, per key and document; doubts are not kept', async () => {
    let nowMs = 0;
    const provider = psp.provider('b', { now: () => nowMs });
    const lookUp = (expected = ANA as { type: 'CPF'; number: string; country: string }) =>
      provider.lookUpKeyOwner({ operationId: 'op_1', key: KEY, expected });
    psp.next = [
      { status: 503, json: {} },
      { json: { taxIDMatches: true, endToEndId: E2E } },
      { json: { taxIDMatches: false } },
      { json: { taxIDMatches: false } },
    ];
    assert.equal((await lookUp()).kind, 'unavailable');
    assert.equal((await lookUp()).kind, 'match');
    nowMs = 59_999;
    assert.deepEqual(await lookUp(), { kind: 'match', strength: 'full', endToEndId: null });
    assert.equal((await lookUp({ ...ANA, number: '11144477735' })).kind, 'mismatch');
    nowMs = 60_000;
    assert.equal((await lookUp()).kind, 'mismatch');
    assert.equal(psp.requests.length, 4);
  });

  it('429 → nothing is asked, for any key, until its Retry-After is over', async () => {
    let nowMs = 0;
    const provider = psp.provider('b', { now: () => nowMs });
    const lookUp = (value: string) =>
      provider.lookUpKeyOwner({ operationId: 'op_1', key: { type: 'email', value }, expected: ANA });
    psp.next = [{ status: 429, json: {}, headers: { 'retry-after': '17' } }, { json: { taxIDMatches: true } }];
    assert.equal((await lookUp('ana@player.test')).kind, 'unavailable');
    nowMs = 16_500;
    assert.deepEqual(await lookUp('ben@player.test'), unavailable('key_budget_spent', 1));
    assert.equal(psp.requests.length, 1);
    nowMs = 17_000;
    assert.equal((await lookUp('ben@player.test')).kind, 'match');
  });

  it('asks with the key in the body, as it is, never in the address', async () => {
    psp.next = [ofA('52998224725')];
    await psp.provider('a').lookUpKeyOwner({ operationId: 'op_1', key: KEY, expected: ANA });
    const [request] = psp.requests;
    assert.ok(request);
    assert.equal(request.path, '/base/v2/pix/chaves/consulta');
    assert.deepEqual(JSON.parse(request.body), { chave: 'ana@player.test', cpfCnpjEsperado: ANA.number });
  });

  it('another spelling than the directory’s is no key, and nobody is asked: what is checked is what is paid', async () => {
    const provider = psp.provider('a');
    for (const key of [
      { type: 'email', value: 'ANA@Player.test' },
      { type: 'cpf', value: '529.982.247-25' },
      { type: 'phone', value: '11988887777' },
    ] as const)
      assert.deepEqual(await provider.lookUpKeyOwner({ operationId: 'op_1', key, expected: ANA }), {
        kind: 'no_such_key',
      });
    assert.equal(psp.requests.length, 0);
  });
});
