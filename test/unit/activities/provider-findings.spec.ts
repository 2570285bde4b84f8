// What the workflows learn from look-ups: the amounts that providers state as returned, and each reversal of a payment.
import assert from 'node:assert/strict';
import { createChargeCalls } from '../../../activities/provider/charges.js';
import { createPayoutCalls } from '../../../activities/provider/payouts.js';
import type { StoredWithdrawalOrder } from '../../../contract/temporal/payment.js';
import type { Payout, Provider, Reversal } from '../../../providers/port.js';
import { Sealer } from '../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../store/sealing/keys.js';
import { depositOrder } from '../../../lab/harness/deposit-fixtures.js';

const sealer = new Sealer(keysInMemory([{ id: 'k1', key: Buffer.alloc(32, 7) }], Buffer.alloc(32, 9)));
const AT = '2026-03-06T12:00:00.000Z';
/** Long before every time in this file, and just after the last. */
const SPAN = { since: '2026-03-05T11:00:00.000Z', at: AT };

describe('findings of a payout', () => {
  const order = { id: 'wdr_1', provider: 'simulator', amountMinor: 7500n } as StoredWithdrawalOrder;

  it('report each return with its id, amount and moment', async () => {
    const payout: Payout = {
      reference: 'x',
      status: 'paid',
      endToEndId: 'E1',
      failureCode: null,
      paidAt: '2026-03-05T09:00:00-03:00',
      returns: [{ reference: 'D1', at: '2026-03-05T10:00:00-03:00', code: 'BE01', amountMinor: 2_000n }],
      feeMinor: null,
    };
    const provider = { lookUpPayout: async () => ({ kind: 'found', payout }) } as unknown as Provider;
    const { lookUpPayout } = createPayoutCalls(
      () => provider,
      sealer,
      async () => undefined,
    );
    const found = await lookUpPayout({ order, span: SPAN });
    assert.ok(found.kind === 'found');
    assert.equal(found.payout.paidAt, '2026-03-05T12:00:00.000Z');
    assert.deepEqual(found.payout.returns, [{ reference: 'D1', amountMinor: 2000n, at: '2026-03-05T13:00:00.000Z' }]);
  });
});

describe('findings of a charge', () => {
  it('report each reversal with its id, amount, state and moment', async () => {
    const reversals: Reversal[] = [
      { reference: 'D1', amountMinor: 2_000n, kind: 'refund', status: 'done', at: '2026-03-06T09:00:00-03:00' },
      { reference: 'D2', amountMinor: 3_000n, kind: 'chargeback', status: 'pending', at: AT, returnId: 'D'.repeat(32) },
      { reference: 'D3', amountMinor: 1_000n, kind: 'refund', status: 'refused', at: AT },
    ];
    const provider = {
      lookUpCharge: async () => ({
        kind: 'found',
        status: 'paid',
        payments: [{ endToEndId: 'E1', amountMinor: 5_000n, paidAt: AT, payer: null, reversals, feeMinor: null }],
      }),
    } as unknown as Provider;
    const order = depositOrder({ sealer, operationId: 'op_1' });
    const { payments } = await createChargeCalls(
      () => provider,
      sealer,
      async () => undefined,
    ).lookUpCharge({
      order,
      span: SPAN,
    });
    assert.deepEqual(payments[0]?.reversals, [
      { reference: 'D1', amountMinor: 2000n, kind: 'refund', state: 'done', at: AT },
      { reference: 'D2', returnId: 'D'.repeat(32), amountMinor: 3000n, kind: 'chargeback', state: 'pending', at: AT },
      { reference: 'D3', amountMinor: 1000n, kind: 'refund', state: 'refused', at: AT },
    ]);
  });

  it('→ no answer: a return under our id has another amount', async () => {
    const answered = (amountMinor: bigint) => {
      const reversal = { reference: 'r', amountMinor, kind: 'refund', status: 'done', at: AT };
      const provider = { requestReversal: async () => ({ kind: 'accepted', reversal }) } as unknown as Provider;
      const calls = createChargeCalls(
        () => provider,
        sealer,
        async () => undefined,
      );
      const order = depositOrder({ sealer, operationId: 'op_1' });
      return calls.returnPayment({ order, span: SPAN, endToEndId: 'E1', reference: 'r', amountMinor: 5000n });
    };
    assert.deepEqual(await answered(5_000n), { kind: 'done', amountMinor: 5000n, at: AT });
    await assert.rejects(answered(4_000n), { type: 'ProviderInconclusive' });
  });
});
