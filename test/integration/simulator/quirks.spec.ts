// The simulator plays what banks were publicly seen to do, and the gateway's calls take from it only what makes sense.
import assert from 'node:assert/strict';
import { createChargeCalls } from '../../../activities/provider/charges.js';
import { chargeReferenceOf, returnReferenceOf } from '../../../domain/identifiers.js';
import type { GatewayAlert } from '../../../store/alerts/alerts.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { Sealer } from '../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../store/sealing/keys.js';
import { depositOrder } from '../../../lab/harness/deposit-fixtures.js';
import { openBench, type Bench } from './harness.js';

const sealer = new Sealer(keysInMemory([{ id: 'k1', key: Buffer.alloc(32, 7) }], Buffer.alloc(32, 9)));

describe('quirks of a bank', () => {
  let bench: Bench;
  let alerts: GatewayAlert[];
  before(async () => {
    bench = await openBench();
  });
  after(() => bench.close());
  beforeEach(() => {
    alerts = [];
  });
  afterEach(() => play({}));

  const play = (quirks: object) => bench.control('PUT', '/simulator/quirks', quirks);
  const newOrder = () => ({ ...depositOrder({ sealer, operationId: 'op_1' }), provider: 'simulator' });
  const question = (order = newOrder()) => {
    const at = new Date().toISOString();
    return { order, span: { since: at, at } };
  };
  const calls = () => createChargeCalls(bench.providers, sealer, async (alert) => void alerts.push(alert));
  const kinds = () => alerts.map(({ kind }) => kind);
  const paid = async (quirks: object) => {
    const asked = question();
    assert.equal((await calls().createCharge(asked)).kind, 'created');
    await bench.control('POST', `/simulator/charges/${chargeReferenceOf(asked.order.id)}/pay`, {});
    await play(quirks);
    const at = new Date().toISOString();
    const { payments } = await calls().lookUpCharge({ order: asked.order, span: { ...asked.span, at } });
    return { payment: payments[0]!, at };
  };

  for (const clock_seconds of [-10_800, 10_800])
    it(`a clock that is ${clock_seconds} s away: the code lives its term, the payment is of now`, async () => {
      await play({ clock_seconds });
      const asked = question();
      const result = await calls().createCharge(asked);
      assert.ok(result.kind === 'created');
      assert.equal(Date.parse(result.expiresAt), Date.parse(asked.span.at) + asked.order.expiresInSeconds * 1_000);
      const { payment, at } = await paid({ clock_seconds });
      assert.equal(payment.paidAt, at);
      assert.ok(kinds().every((kind) => kind === 'PROVIDER_CLOCK_DIFFERS') && alerts.length >= 2);
    });

  it('a return that is not done can be made under another id once the bank does them', async () => {
    const asked = question();
    assert.equal((await calls().createCharge(asked)).kind, 'created');
    await bench.control('POST', `/simulator/charges/${chargeReferenceOf(asked.order.id)}/pay`, {});
    const found = async () => {
      const at = new Date().toISOString();
      const { payments } = await calls().lookUpCharge({ order: asked.order, span: { ...asked.span, at } });
      return payments[0]!;
    };
    const { endToEndId, amountMinor } = await found();
    const states = async () => (await found()).reversals.map(({ state }) => state).sort();
    const returned = async (number: number, state: 'refused' | 'done') => {
      const reference = returnReferenceOf(asked.order.id, number);
      await calls().returnPayment({ ...asked, endToEndId, reference, amountMinor });
      await eventually(async () => (await states()).includes(state), state);
    };
    await play({ refuses_returns: true });
    await returned(1, 'refused');
    await play({});
    await returned(2, 'done');
    assert.deepEqual(await states(), ['done', 'refused']);
  });

  it('a code of another charge is not delivered', async () => {
    await play({ foreign_code: true });
    await assert.rejects(calls().createCharge(question()), { type: 'ProviderInconclusive' });
    assert.deepEqual(kinds(), ['CODE_OF_ANOTHER_CHARGE']);
  });

  for (const [payer, payerMatch] of [
    ['long_name', 'match'],
    ['empty_fields', 'unknown'],
    ['number', 'match'],
  ] as const)
    it(`an odd payer (${payer}): the payment is seen`, async () => {
      assert.equal((await paid({ payer })).payment.payerMatch, payerMatch);
      assert.deepEqual(alerts, []);
    });

  it('a key in capitals is ours', async () => {
    assert.equal((await paid({ key_in_capitals: true })).payment.payerMatch, 'match');
  });

  it('a wish for fewer calls is kept, and told', async () => {
    const asked = question();
    await play({ retry_after_seconds: 61 });
    await assert.rejects(calls().lookUpCharge(asked), { type: 'ProviderInconclusive', nextRetryDelay: 60_000 });
    await play({});
    await assert.rejects(calls().lookUpCharge(asked), { type: 'ProviderInconclusive' });
    assert.ok(kinds().every((kind) => kind === 'PROVIDER_TOLD_TO_WAIT') && alerts.length > 0);
  });
});
