// Which codes reach a player: outside production only those of a test environment, in production none of one.
import assert from 'node:assert/strict';
import { createChargeCalls } from '../../../activities/provider/charges.js';
import type { Charge, Provider } from '../../../providers/port.js';
import { Sealer } from '../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../store/sealing/keys.js';
import { depositOrder } from '../../../lab/harness/deposit-fixtures.js';

const AT = '2026-03-05T12:00:00.000Z';
const span = { since: AT, at: AT };
const sealer = new Sealer(keysInMemory([{ id: 'k1', key: Buffer.alloc(32, 7) }], Buffer.alloc(32, 9)));

describe('the environment guard of charges', () => {
  for (const [environment, sandboxMarker, isOfTestHost, expected] of [
    ['sandbox', true, true, 'created'],
    ['sandbox', true, false, 'created'],
    ['sandbox', false, false, 'environment_guard'],
    ['production', false, false, 'created'],
    // The host of the API is taken for a test's where no other is known: in production it serves real codes as well.
    ['production', true, false, 'created'],
    ['production', true, true, 'environment_guard'],
  ] as const)
    it(`${environment}, marker ${sandboxMarker}, known test host ${isOfTestHost} → ${expected}`, async () => {
      const charge: Charge = {
        reference: 'r',
        copyPaste: 'code',
        qrCodePngBase64: null,
        createdAt: null,
        expiresAt: '2026-03-05T12:30:00.000Z',
        amountMinor: 5_000n,
        sandboxMarker,
        isOfTestHost,
      };
      const provider = { createCharge: async () => ({ kind: 'created', charge }) } as unknown as Provider;
      const order = { ...depositOrder({ sealer, operationId: 'op_1' }), environment };
      const result = await createChargeCalls(
        () => provider,
        sealer,
        async () => undefined,
      ).createCharge({ order, span });
      assert.equal(result.kind === 'refused' ? result.failureCode : result.kind, expected);
    });
});
