// How the played banks call back: several PIX in one call, static codes, how often, and what is tried at registration.
import assert from 'node:assert/strict';
import type { SlotName } from '../../../providers/port.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { aCharge, ANA, aPayout, aWhile, type Bench, newReference, openBench } from './harness.js';

/** Weeks become milliseconds. */
const BANKS = {
  SIMULATOR_CALLBACK_PACE: '0.000001',
  PROVIDER_SIMULATOR_DIALECT: 'api-pix',
  PROVIDER_A_DIALECT: 'efi',
  PROVIDER_B_DIALECT: 'woovi',
  PROVIDER_B_CLIENT_ID: undefined,
  PROVIDER_B_CALLBACK_KEYS_URL: 'URL/b/api/v1/webhook/public-keys',
};

describe('callbacks of the played banks', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench({}, BANKS);
  });
  afterEach(() => bench.close());

  const pay = async (slot: SlotName, reference = newReference()) => {
    await bench.providers(slot).createCharge(aCharge({ reference }));
    const paid = await bench.steering.payCharge(slot, reference, { amountMinor: null, payerDocument: ANA });
    assert.equal(paid.kind, 'done');
    return reference;
  };
  const elements = () =>
    bench.received.map(({ body }) => (JSON.parse(body.toString()) as { pix: unknown[] }).pix.length);
  const waiting = async () =>
    ((await bench.control('GET', '/books')).body as { waiting_callbacks: number }).waiting_callbacks;

  it('the next ones go out several in one call, charges and sends together; then each alone again', async () => {
    assert.equal((await bench.control('PUT', '/a/batch', { size: 3 })).status, 204);
    const charges = [await pay('a'), await pay('a')];
    await aWhile();
    assert.deepEqual(elements(), []);
    const payout = aPayout();
    await bench.providers('a').sendPayout(payout);
    await bench.steering.settlePayout('a', payout.reference, 'paid');
    await eventually(() => bench.received.length > 0, 'the batch');
    assert.deepEqual(elements(), [3]);
    for (const reference of [...charges, payout.reference]) assert.equal(bench.noticesOf(reference).length, 1);
    await pay('a');
    await eventually(() => bench.received.length > 1, 'the next callback');
    assert.deepEqual(elements(), [3, 1]);
  });

  it('what the bank would send with a callback proves it, and no other', async () => {
    const body = JSON.stringify({
      event: 'OPENPIX:CHARGE_COMPLETED',
      charge: { correlationID: newReference() },
      pix: { endToEndId: 'E'.padEnd(32, '9') },
    });
    const answer = await bench.control('POST', '/b/callback-headers', { body });
    const { headers } = answer.body as { headers: Record<string, string> };
    const send = (text: string) =>
      fetch(`${bench.receiverUrl}/callbacks/b/events`, { method: 'POST', headers, body: text });
    await send(body);
    await send(body.replace('COMPLETED', 'EXPIRED'));
    assert.deepEqual(
      bench.received.map(({ verdict }) => verdict.kind),
      ['accepted', 'forged'],
    );
  });

  for (const slot of ['simulator', 'a'] as const)
    it(`${slot}: a PIX on a static code is reported with its txid; a transfer to the key is not`, async () => {
      const receive = (txid?: string) =>
        bench.control('POST', `/${slot}/received`, { amount_minor: '500', ...(txid === undefined ? {} : { txid }) });
      await receive();
      await receive('TABLE7');
      await eventually(() => bench.noticesOf('TABLE7').length === 1, 'the callback');
      await aWhile();
      assert.deepEqual(elements(), [1]);
    });

  for (const [slot, attempts] of [
    ['simulator', 7],
    ['a', 11],
    ['b', 9],
  ] as const)
    it(`${slot}: given up after ${attempts} attempts`, async () => {
      bench.answerWith = 500;
      await pay(slot);
      await eventually(async () => (await waiting()) === 0, 'it is given up');
      assert.equal(bench.received.length, attempts);
    });

  it('Woovi gives a company 1,000 tokens to look keys up, 20 more a minute; a miss costs 20', async () => {
    const ask = async (path: string) => {
      const headers = { authorization: 'client secret of B %+' };
      return (await (await fetch(`${bench.simulator.url}/b/api/v1/pix-keys/${path}`, { headers })).json()) as unknown;
    };
    const { nextRefresh: _, ...tokens } = (await ask('tokens')) as Record<string, unknown>;
    assert.deepEqual(tokens, { tokens: 1_000, maxTokens: 1_000, tokensAfterRefresh: 1_000, refreshRate: 20 });
    await ask('no-such-key@sentinel.test/check');
    assert.equal(((await ask('tokens')) as { tokens: number }).tokens, 980);
  });
});
