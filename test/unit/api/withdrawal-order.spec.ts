// The workflow's input of a withdrawal: the key is sealed in the one spelling that is checked, hashed and paid.
import assert from 'node:assert/strict';
import { withdrawalOrder } from '../../../api/routes/withdrawals.js';
import type { CallerOperation } from '../../../contract/http/route.js';
import type { CreateWithdrawalBody } from '../../../contract/http/schemas/withdrawals.js';
import type { PixKeyType } from '../../../domain/pix.js';
import { pixKeyHash, Sealer } from '../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../store/sealing/keys.js';
import { openWithdrawalRequest } from '../../../store/sealing/orders.js';

const sealer = new Sealer(keysInMemory([{ id: 'k1', key: Buffer.alloc(32, 7) }], Buffer.alloc(32, 9)));
const operation: CallerOperation = { id: 'op_1', name: 'acme', environment: 'sandbox', provider: 'simulator' };

function sealedKey(key_type: PixKeyType, key: string): string {
  const body = {
    external_id: 'payout-1',
    player: { external_ref: 'player-1', document: { type: 'CPF', number: '52998224725', country: 'BR' } },
    amount: { amount: '3000', currency: 'BRL' },
    method: 'pix',
    destination: { pix: { key_type, key } },
  } as CreateWithdrawalBody;
  const order = withdrawalOrder(sealer, operation, 'wdr_1', body, { pix: { key_type, key } });
  assert.equal(order.destinationType, key_type);
  const { destination } = openWithdrawalRequest(sealer, order);
  assert.equal(destination.pix.key_type, key_type);
  return destination.pix.key;
}

describe('withdrawalOrder', () => {
  for (const [type, given, spelled] of [
    ['cpf', '529.982.247-25', '52998224725'],
    ['cnpj', '11.222.333/0001-81', '11222333000181'],
    ['email', 'Maria@Player.TEST', 'maria@player.test'],
    ['phone', '(11) 99999-8888', '+5511999998888'],
    ['random', '123E4567-E12B-12D1-A456-426655440000', '123e4567-e12b-12d1-a456-426655440000'],
  ] as const) {
    it(`seals the ${type} key ${given} as ${spelled}, under the same hash`, () => {
      assert.equal(sealedKey(type, given), spelled);
      assert.deepEqual(pixKeyHash(sealer, 'op_1', spelled, type), pixKeyHash(sealer, 'op_1', given, type));
    });
  }

  it('seals a malformed key as it came: no key is made up', () => {
    for (const key of ['99998888', 'nobody']) assert.equal(sealedKey('phone', key), key);
  });
});
