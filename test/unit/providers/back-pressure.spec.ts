// `Retry-After`: no call of the account before that time, whatever it is about.
import assert from 'node:assert/strict';
import { BackPressure, retryAfterSeconds } from '../../../providers/common/http.js';
import type { Provider } from '../../../providers/port.js';
import { E2E, openFakePsp, type FakePsp } from './fake-psp.js';
import { openFakeWoovi } from './woovi/fake-woovi.js';

const REFERENCE = 'a'.repeat(32);
const ANA = { type: 'CPF', number: '52998224725', country: 'BR' } as const;
const KEY = { type: 'email', value: 'ana@player.test' } as const;
const SPAN = { from: '2026-03-05T12:00:00Z', to: '2026-03-05T13:00:00Z', cursor: null };

const said = (headers: Record<string, string>, status = 429) =>
  ({ kind: 'answered', status, body: {}, headers }) as const;

/** Every call of the port. */
const CALLS: readonly (readonly [
  name: string,
  call: (provider: Provider) => Promise<{ kind: string; reason?: string }>,
])[] = [
  [
    'createCharge',
    (provider) =>
      provider.createCharge({
        reference: REFERENCE,
        amountMinor: 5_000n,
        expiresInSeconds: 1_800,
        payer: { document: ANA, name: 'Ana', email: 'ana@player.test' },
        description: 'Deposito',
      }),
  ],
  ['lookUpCharge', (provider) => provider.lookUpCharge(REFERENCE, ANA)],
  [
    'requestReversal',
    (provider) => provider.requestReversal({ endToEndId: E2E, reference: REFERENCE, amountMinor: 1n }),
  ],
  [
    'sendPayout',
    (provider) =>
      provider.sendPayout({
        reference: REFERENCE,
        amountMinor: 5_000n,
        key: KEY,
        beneficiaryDocument: ANA,
        lookupEndToEndId: null,
        description: 'Saque',
        mayLeave: () => true,
      }),
  ],
  ['lookUpPayout', (provider) => provider.lookUpPayout({ reference: REFERENCE, amountMinor: 5_000n })],
  ['listReceived', (provider) => provider.listReceived({ part: 'payments', ...SPAN })],
  ['lookUpKeyOwner', (provider) => provider.lookUpKeyOwner({ operationId: 'op_1', key: KEY, expected: ANA })],
];

describe('the wait that an answer asks for', () => {
  const NOW = Date.parse('2026-11-27T10:00:00Z');
  for (const [title, headers, seconds] of [
    ['seconds', { 'retry-after': '17' }, 17],
    ['an hour at most', { 'retry-after': '86400000' }, 3_600],
    [
      'a time by the clock of the answer',
      { date: 'Fri, 27 Nov 2026 07:00:00 GMT', 'retry-after': 'Fri, 27 Nov 2026 07:01:00 GMT' },
      60,
    ],
    ['a time by our clock without one', { 'retry-after': 'Fri, 27 Nov 2026 10:00:30 GMT' }, 30],
    ['a time in the past', { 'retry-after': 'Fri, 27 Nov 2026 09:00:00 GMT' }, 0],
    ['nothing', {}, null],
    ['no number', { 'retry-after': '-5' }, null],
    ['what a machine alone would take for a time', { 'retry-after': '2026' }, 2_026],
    ['words', { 'retry-after': 'tomorrow' }, null],
  ] as const)
    it(`${title} → ${seconds}`, () => assert.equal(retryAfterSeconds(said(headers), NOW), seconds));

  it('holds until it is over; a later answer shortens nothing; other answers hold nothing', () => {
    let nowMs = NOW;
    const pressure = new BackPressure(() => nowMs);
    pressure.note(said({ 'retry-after': '30' }, 500));
    pressure.note(said({}, 429));
    assert.equal(pressure.heldSeconds(), 0);
    pressure.note(said({ 'retry-after': '30' }, 503));
    pressure.note(said({ 'retry-after': '10' }));
    assert.deepEqual(pressure.hold(), { kind: 'never_left', reason: 'told_to_wait' });
    nowMs += 29_999;
    assert.equal(pressure.heldSeconds(), 1);
    nowMs += 1;
    assert.equal(pressure.hold(), null);
  });
});

describe('back-pressure of an account', () => {
  let psp: FakePsp;
  beforeEach(async () => {
    psp = await openFakePsp();
  });
  afterEach(() => psp.close());
  const TOO_MANY = { status: 429, json: {}, headers: { 'retry-after': '3600' } } as const;

  it('holds every call of it, and none of another account', async () => {
    let nowMs = Date.parse('2026-11-27T10:00:00Z');
    const provider = psp.provider('simulator', { now: () => nowMs });
    psp.next = [TOO_MANY];
    assert.deepEqual(await provider.lookUpCharge(REFERENCE), {
      kind: 'unknown',
      reason: 'http_429',
      retryAfterSeconds: 3_600,
    });
    for (const [name, call] of CALLS) {
      const outcome = await call(provider);
      const expected = name === 'sendPayout' ? 'not_sent' : name === 'lookUpKeyOwner' ? 'unavailable' : 'unknown';
      assert.equal(outcome.kind, expected, name);
      assert.match(outcome.reason ?? '', /^(list_)?told_to_wait$/, name);
    }
    assert.equal(psp.requests.length, 1);
    await psp.provider('simulator').lookUpCharge(REFERENCE);
    assert.equal(psp.requests.length, 2);
    nowMs += 3_600_000;
    await provider.lookUpCharge(REFERENCE);
    assert.equal(psp.requests.length, 3);
  });

  it('begins with the answer to a token request too', async () => {
    psp.token = TOO_MANY;
    const provider = psp.provider('simulator');
    for (const [, call] of CALLS) await call(provider);
    assert.deepEqual([psp.tokens, psp.requests.length], [1, 0]);
  });

  it('of the key directory holds key look-ups only: its budget is its own', async () => {
    psp.next = [TOO_MANY];
    const provider = psp.provider('simulator');
    const [[, create]] = CALLS as [(typeof CALLS)[number]];
    await CALLS.at(-1)![1](provider);
    await create(provider);
    assert.equal(psp.requests.length, 2);
    await CALLS.at(-1)![1](provider);
    assert.equal(psp.requests.length, 2);
  });

  it('holds every call of an account at Woovi', async () => {
    const woovi = await openFakeWoovi();
    try {
      woovi.says = { [`GET /payment/${REFERENCE}`]: TOO_MANY };
      const provider = woovi.provider();
      assert.equal((await provider.lookUpPayout({ reference: REFERENCE, amountMinor: 5_000n })).kind, 'unknown');
      for (const [name, call] of CALLS) {
        const outcome = await call(provider);
        assert.ok(['unknown', 'not_sent', 'unavailable'].includes(outcome.kind), name);
      }
      assert.equal(woovi.requests.length, 1);
    } finally {
      await woovi.close();
    }
  });
});
