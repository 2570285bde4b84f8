// Derived keys: what they are (RFC 5869), how long they are kept, and that they are overwritten with their key.
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { derivedKey, MOST_DERIVED, wipe } from '../../../store/sealing/keys.js';

/** HKDF-SHA-256 without salt, of one block, as RFC 5869 has it. */
function hkdf(key: Buffer, info: string): string {
  const extracted = createHmac('sha256', Buffer.alloc(32)).update(key).digest();
  return createHmac('sha256', extracted).update(`${info}\x01`).digest('hex');
}

describe('derived keys', () => {
  it('are HKDF-SHA-256 of the key, the use and the operation, and different for each', () => {
    const key = randomBytes(32);
    assert.equal(derivedKey(key, 'seal', 'op_1').toString('hex'), hkdf(key, '["gateway","seal","operation","op_1"]'));
    assert.equal(derivedKey(key, 'prove', null).toString('hex'), hkdf(key, '["gateway","prove","no operation"]'));
    const all = [key, randomBytes(32)].flatMap((one) =>
      (['seal', 'look-up', 'prove'] as const).flatMap((use) =>
        ['op_1', 'op_2', null].map((operation) => derivedKey(one, use, operation).toString('hex')),
      ),
    );
    assert.equal(new Set(all).size, all.length);
  });

  it('are made once, and the same however often they are asked for', () => {
    const key = randomBytes(32);
    assert.equal(derivedKey(key, 'seal', 'op_1'), derivedKey(key, 'seal', 'op_1'));
    assert.deepEqual(derivedKey(Buffer.from(key), 'seal', 'op_1'), derivedKey(key, 'seal', 'op_1'));
  });

  it('are overwritten with their key, and those of another key stay', () => {
    const [key, other] = [randomBytes(32), randomBytes(32)];
    const gone = [derivedKey(key, 'seal', 'op_1'), derivedKey(key, 'look-up', 'op_2')];
    const stays = derivedKey(other, 'seal', 'op_1');
    wipe(key);
    for (const one of [key, ...gone]) assert.deepEqual(one, Buffer.alloc(32));
    assert.notDeepEqual(stays, Buffer.alloc(32));
  });

  it('of invented operations do not fill the memory', () => {
    const key = randomBytes(32);
    const first = derivedKey(key, 'seal', 'op_0');
    for (let number = 1; number < MOST_DERIVED; number += 1) derivedKey(key, 'seal', `op_${number}`);
    assert.equal(derivedKey(key, 'seal', 'op_0'), first, 'so many are kept');
    derivedKey(key, 'seal', 'one more');
    assert.notEqual(derivedKey(key, 'seal', 'op_0'), first, 'the first is made anew');
    assert.deepEqual(derivedKey(key, 'seal', 'op_0'), first);
  });
});
