// Sealed values: opened by the right key only, and never once a single bit of them was changed.
import assert from 'node:assert/strict';
import { keysInMemory, Sealer, UnsealableError } from '../../../store/sealing/sealer.js';

const HASH_KEY = Buffer.alloc(32, 9);
const sealerOf = (...keys: [id: string, fill: number][]) =>
  new Sealer(
    keysInMemory(
      keys.map(([id, fill]) => ({ id, key: Buffer.alloc(32, fill) })),
      HASH_KEY,
    ),
  );

describe('sealing', () => {
  const sealer = sealerOf(['k1', 7]);
  const plain = Buffer.from('{"document":"52998224725"}');

  it('opens what it sealed, and never seals the same value alike', () => {
    const [first, second] = [sealer.sealBytes(plain), sealer.sealBytes(plain)];
    assert.deepEqual(sealer.openBytes(first), plain);
    assert.notDeepEqual(first, second);
  });

  it('a value with any one bit changed is refused: the key id, the nonce, the tag and the text alike', () => {
    const sealed = sealer.sealBytes(plain);
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] as number) ^ 1;
      assert.throws(() => sealer.openBytes(changed), UnsealableError, `byte ${index}`);
    }
  });

  it('a value that was cut anywhere is refused', () => {
    const sealed = sealer.sealBytes(plain);
    for (let length = 0; length < sealed.length; length += 1) {
      assert.throws(() => sealer.openBytes(sealed.subarray(0, length)), UnsealableError, `${length} bytes`);
    }
  });

  it('another key under the same id opens nothing', () => {
    assert.throws(() => sealerOf(['k1', 8]).openBytes(sealer.sealBytes(plain)), UnsealableError);
  });

  it('after a rotation both keys open, and the first one seals', () => {
    const rotated = sealerOf(['k2', 8], ['k1', 7]);
    assert.deepEqual(rotated.openBytes(sealer.sealBytes(plain)), plain);
    assert.throws(() => sealer.openBytes(rotated.sealBytes(plain)), UnsealableError);
  });
});
