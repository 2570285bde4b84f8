// Sealed values: opened by the right key only, and never once a single bit of them was changed.
import assert from 'node:assert/strict';
import { operatorReasonsOf } from '../../../store/sealing/sealed-requests.js';
import { KeysUnavailableError, keysInMemory, Sealer, UnsealableError } from '../../../store/sealing/sealer.js';

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

  it('a value of no bytes is sealed and opened', () => {
    assert.deepEqual(sealer.openBytes(sealer.sealBytes(new Uint8Array())), Buffer.alloc(0));
  });

  it('a sealed value opens in this layout: key id, nonce, tag, ciphertext', () => {
    // Made outside the product by AES-256-GCM: 32 bytes of 7 as the key, 12 bytes of 1 as the nonce, "hello" as the
    // text.
    const sealed = Buffer.from(`026b31${'01'.repeat(12)}3640a786bb5f8a4e04cff0ed4bb344f91e84e5dbff`, 'hex');
    assert.equal(sealer.openBytes(sealed).toString('utf8'), 'hello');
  });

  it('names the key that seals', () => assert.equal(sealerOf(['k2', 8], ['k1', 7]).currentKeyId(), 'k2'));

  it('JSON goes into a string of URL-safe characters and back', () => {
    const value = { name: 'São João', tags: ['a', null, 1] };
    const sealed = sealer.sealJson(value);
    assert.match(sealed, /^[A-Za-z0-9_-]+$/);
    assert.deepEqual(sealer.openJson(sealed), value);
    assert.deepEqual(sealer.openJson(Buffer.from(sealed, 'base64url')), value);
    assert.deepEqual(sealer.openJson(new Uint8Array(Buffer.from(sealed, 'base64url'))), value);
  });

  it('the operator’s review reasons of a sealed request; none where it names none', () => {
    const reasonsOf = (request: object) => operatorReasonsOf(sealer, sealer.sealJson(request));
    assert.deepEqual(reasonsOf({ review_reasons: ['vip', 'new device'] }), ['vip', 'new device']);
    assert.deepEqual(reasonsOf({}), []);
  });

  // HMAC-SHA-256 under 32 bytes 09, by openssl: printf 'document\n52998224725' | openssl dgst -sha256 -mac HMAC …
  for (const [purpose, hash] of [
    ['document', 'd4d28e95e5907e06030638ee64e84ff906c193512ce3582c105b96a3fb805097'],
    ['pix_key', '6003b528f6cfb1430e7a09ad4e7d544691b59f0952810bf036057be04561de96'],
  ] as const)
    it(`a look-up hash depends on the hash key and the purpose: ${purpose}`, () =>
      assert.equal(Buffer.from(sealerOf(['k1', 7]).lookupHash(purpose, '52998224725')).toString('hex'), hash));

  it('needs a key to seal with', () => assert.throws(() => sealerOf(), RangeError));

  it('errors are known by their names', () => {
    assert.equal(new UnsealableError().name, 'UnsealableError');
    assert.equal(new KeysUnavailableError().name, 'KeysUnavailableError');
  });
});
