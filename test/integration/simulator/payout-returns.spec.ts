// What the receiving bank sends back of a payout: in parts, under way for a while, and not at all.
import assert from 'node:assert/strict';
import type { SlotName } from '../../../providers/port.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { aPayout, type Bench, openBench } from './harness.js';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

for (const name of ['simulator', 'a', 'b'] as const satisfies readonly SlotName[]) {
  const provider = () => bench.providers(name);

  describe(`payouts that come back, at ${name}`, () => {
    it('paid → returned in parts, which add up to the whole', async () => {
      const request = aPayout();
      await provider().sendPayout(request);
      await bench.steering.settlePayout(name, request.reference, 'paid');
      const giveBack = (amount_minor?: string) =>
        bench.control('POST', `/${name}/payouts/${request.reference}/settle`, {
          result: 'returned',
          ...(amount_minor === undefined ? {} : { amount_minor }),
        });
      const returned = async () => {
        const found = await provider().lookUpPayout(request);
        assert.ok(found.kind === 'found' && found.payout.status === 'paid');
        return found.payout.returns.map(({ amountMinor }) => amountMinor);
      };
      assert.deepEqual(await returned(), []);
      assert.equal((await giveBack('2001')).status, 200);
      assert.deepEqual(await returned(), [2_001n]);
      assert.deepEqual(await giveBack('5500'), { status: 409, body: { reason: 'exceeds_payout' } });
      assert.deepEqual(await returned(), [2_001n]);
      await bench.restart();
      // Without an amount: what is left.
      assert.equal((await giveBack()).status, 200);
      assert.deepEqual(await returned(), [2_001n, 5_499n]);
      assert.deepEqual(await giveBack('1'), { status: 409, body: { reason: 'payout_is_returned' } });
    });

    it('a return of a payout that is under way counts once it is done, and one that is refused never', async () => {
      const request = aPayout();
      await provider().sendPayout(request);
      await bench.steering.settlePayout(name, request.reference, 'paid');
      const lag = (return_ms: number | null) =>
        bench.control('PUT', `/${name}/lag`, { conclusion_ms: null, return_ms });
      const giveBack = (order: object) =>
        bench.control('POST', `/${name}/payouts/${request.reference}/settle`, { result: 'returned', ...order });
      const returned = async () => {
        const found = await provider().lookUpPayout(request);
        assert.ok(found.kind === 'found' && found.payout.status === 'paid');
        return found.payout.returns.map(({ amountMinor }) => amountMinor);
      };
      await lag(600_000);
      assert.equal((await giveBack({ amount_minor: '2001', refused: true })).status, 200);
      assert.equal((await giveBack({ amount_minor: '5000' })).status, 200);
      assert.deepEqual(await giveBack({ amount_minor: '500' }), { status: 409, body: { reason: 'exceeds_payout' } });
      assert.deepEqual(await returned(), []);
      await lag(null);
      // What was under way goes on.
      await bench.restart();
      await eventually(async () => (await returned()).length > 0, 'a return is done');
      assert.equal((await giveBack({})).status, 200);
      assert.deepEqual(await returned(), [5_000n, 2_500n]);
    });
  });
}
