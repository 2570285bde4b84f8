// Sealed values: opened by the right key only, and never once a single bit of them was changed.
import assert from 'node:assert/strict';
import { operatorReasonsOf } from '../../../store/sealing/orders.js';
import { Sealer, UnsealableError } from '../../../store/sealing/sealer.js';
import { KeyNotHeldError, keyOfPurpose, keysInMemory, KeysUnavailableError } from '../../../store/sealing/keys.js';
import { placeOf } from '../../../store/sealing/places.js';

const PLACE = placeOf('deposit.request_sealed', 'op_1', { id: 'dep_1' });
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
    const [first, second] = [sealer.sealBytes(PLACE, plain), sealer.sealBytes(PLACE, plain)];
    assert.deepEqual(sealer.openBytes(PLACE, first), plain);
    assert.notDeepEqual(first, second);
  });

  it('a value with any one bit changed is refused: the key id, the nonce, the tag and the text alike', () => {
    const sealed = sealer.sealBytes(PLACE, plain);
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] as number) ^ 1;
      assert.throws(() => sealer.openBytes(PLACE, changed), UnsealableError, `byte ${index}`);
    }
  });

  for (const [where, place] of [
    ['another row', placeOf('deposit.request_sealed', 'op_1', { id: 'dep_2' })],
    ['another column of its row', placeOf('deposit.payer_sealed', 'op_1', { id: 'dep_1' })],
    ['the row of that id in another operation', placeOf('deposit.request_sealed', 'op_2', { id: 'dep_1' })],
    ['what belongs to no operation', { ...PLACE, operationId: null }],
  ] as const)
    it(`a value that was moved to ${where} is refused`, () =>
      assert.throws(() => sealer.openBytes(place, sealer.sealBytes(PLACE, plain)), UnsealableError));

  it('a value that was cut anywhere is refused', () => {
    const sealed = sealer.sealBytes(PLACE, plain);
    for (let length = 0; length < sealed.length; length += 1) {
      assert.throws(() => sealer.openBytes(PLACE, sealed.subarray(0, length)), UnsealableError, `${length} bytes`);
    }
  });

  it('another key under the same id opens nothing', () => {
    assert.throws(() => sealerOf(['k1', 8]).openBytes(PLACE, sealer.sealBytes(PLACE, plain)), UnsealableError);
  });

  it('after a rotation both keys open, and the first one seals', () => {
    const rotated = sealerOf(['k2', 8], ['k1', 7]);
    assert.deepEqual(rotated.openBytes(PLACE, sealer.sealBytes(PLACE, plain)), plain);
    assert.throws(() => sealer.openBytes(PLACE, rotated.sealBytes(PLACE, plain)), UnsealableError);
  });

  it('a value of no bytes is sealed and opened', () => {
    assert.deepEqual(sealer.openBytes(PLACE, sealer.sealBytes(PLACE, new Uint8Array())), Buffer.alloc(0));
  });

  it('a sealed value opens in this layout: version, key id, nonce, tag, ciphertext', () => {
    // Made outside the product by AES-256-GCM: HKDF-SHA256 of 32 bytes of 7, without salt, for
    // `["gateway","purpose","payments"]`, and of that for `["gateway","seal","operation","op_1"]` as the key, 12 bytes
    // of 1 as the nonce, "hello" as the text, and `[1,"op_1","deposit.request_sealed","dep_1"]` as additional data.
    const sealed = Buffer.from(`01026b31${'01'.repeat(12)}b0f3b6db9451472a83d8ac7869e23019b5796a0b81`, 'hex');
    assert.equal(sealer.openBytes(PLACE, sealed).toString('utf8'), 'hello');
  });

  describe('with the keys of some purposes', () => {
    const [EVENT, REQUEST] = [placeOf('event.body_sealed', 'op_1', { id: 'evt_1' }), PLACE];
    const key = keyOfPurpose(Buffer.alloc(32, 7), 'events');
    const limited = new Sealer(keysInMemory([{ id: 'k1', purpose: 'events', key }], null));

    it('opens what whole keys sealed for these, and seals for the same', () => {
      assert.deepEqual(limited.openBytes(EVENT, sealer.sealBytes(EVENT, plain)), plain);
      assert.deepEqual(sealer.openBytes(EVENT, limited.sealBytes(EVENT, plain)), plain);
    });

    it('opens nothing else, seals nothing else, proves nothing, looks nothing up', () => {
      const sealed = sealer.sealBytes(REQUEST, plain);
      for (const use of [
        () => limited.openBytes(REQUEST, sealed),
        () => limited.sealBytes(REQUEST, plain),
        () => limited.prove('op_1', 'text'),
        () => limited.isProof('op_1', 'text', sealer.prove('op_1', 'text')),
        () => limited.lookupHash('op_1', 'document', '1'),
      ])
        assert.throws(use, KeyNotHeldError);
    });

    it('a key under another purpose’s name opens nothing of it', () => {
      const renamed = new Sealer(keysInMemory([{ id: 'k1', purpose: 'payments', key }], null));
      assert.throws(() => renamed.openBytes(REQUEST, sealer.sealBytes(REQUEST, plain)), UnsealableError);
    });
  });

  it('names the key that seals', () => assert.equal(sealerOf(['k2', 8], ['k1', 7]).currentKeyId(), 'k2'));

  it('JSON goes into a string of URL-safe characters and back', () => {
    const value = { name: 'São João', tags: ['a', null, 1] };
    const sealed = sealer.sealJson(PLACE, value);
    assert.match(sealed, /^[A-Za-z0-9_-]+$/);
    assert.deepEqual(sealer.openJson(PLACE, sealed), value);
    assert.deepEqual(sealer.openJson(PLACE, Buffer.from(sealed, 'base64url')), value);
    assert.deepEqual(sealer.openJson(PLACE, new Uint8Array(Buffer.from(sealed, 'base64url'))), value);
  });

  it('the operator’s review reasons of a sealed request; none where it names none', () => {
    const [withdrawalId, operationId] = ['wdr_1', 'op_1'];
    const place = placeOf('withdrawal.request_sealed', operationId, { id: withdrawalId });
    const reasonsOf = (request: object) =>
      operatorReasonsOf(sealer, { id: withdrawalId, operationId, sealedRequest: sealer.sealJson(place, request) });
    assert.deepEqual(reasonsOf({ review_reasons: ['vip', 'new device'] }), ['vip', 'new device']);
    assert.deepEqual(reasonsOf({}), []);
  });

  // As in lookup-hashes.spec.ts.
  for (const [purpose, hash] of [
    ['document', '76f6ac214ea817ee6296f01bc0fa2c39b7dcf8d2d89ab67087df3453a74b0dcc'],
    ['pix_key', '70b665417c0597c490cb71b8ddbdcb45ba0e5d69b752aac5ee7e1a50c2f3fc1a'],
  ] as const)
    it(`a look-up hash depends on the hash key, the operation and the purpose: ${purpose}`, () =>
      assert.equal(Buffer.from(sealerOf(['k1', 7]).lookupHash('op_1', purpose, '52998224725')).toString('hex'), hash));

  it('needs a key to seal with', () => assert.throws(() => sealerOf(), RangeError));

  it('errors are known by their names', () => {
    assert.equal(new UnsealableError().name, 'UnsealableError');
    assert.equal(new KeysUnavailableError().name, 'KeysUnavailableError');
  });
});
