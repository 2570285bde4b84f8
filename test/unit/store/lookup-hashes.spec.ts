// The hashes that equal values meet by: fixed values of HMAC-SHA256, because stored hashes must be found again for
// ever.
import assert from 'node:assert/strict';
import {
  deviceHash,
  documentHash,
  ipHash,
  networkHashes,
  pixKeyHash,
  playerHash,
  Sealer,
} from '../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../store/sealing/keys.js';

/**
 * Computed outside the product: HMAC-SHA256 of `kind LF value` with HKDF-SHA256 of 32 bytes of 9, without salt, for
 * `["gateway","look-up","operation","op_1"]`.
 */
const DOCUMENT = '76f6ac214ea817ee6296f01bc0fa2c39b7dcf8d2d89ab67087df3453a74b0dcc';
const PHONE = 'cf4c90a7b9da97e478dc685d00d9318a6949a81decdbdbcd3647a194b56120da';
const EMAIL = '41af4c9464663849d4ac1201b53bdcbdeb398319424c105e829abba2120daef5';
const IP = 'ad5c85cb581fa05c56cb552b9ae4ba20a39c7f877c03ce08341eaece28412124';
const SINGLE_ADDRESS = 'd25addb44b407ff6126589ab30cc990b7bf4fa4511c940f6c75cacdadb1cf538';
const NETWORK = 'f1474ae4641b614d92d35121e3dcd6611988af1808443fd41f2c87181a6f2722';
const DEVICE = '9692bfe6ddd61f922e0f97cd4e6867ffb49449190cdf8cb545d2d750fceaca23';
/** SHA-256 of `player LF p-1`, without a key. */
const PLAYER = 'ca396187169ad2730a7ee6c476f58757c432080e48cd565303a4bc66c7328ec3';

describe('look-up hashes', () => {
  let sealer: Sealer;
  before(() => {
    sealer = new Sealer(keysInMemory([{ id: 'k1', key: Buffer.alloc(32, 7) }], Buffer.alloc(32, 9)));
  });
  const hex = (hash: Uint8Array | null) => Buffer.from(hash ?? []).toString('hex');

  for (const [title, hash, expected] of [
    ['a CPF', () => documentHash(sealer, 'op_1', '52998224725'), DOCUMENT],
    ['a CPF with punctuation', () => documentHash(sealer, 'op_1', '529.982.247-25'), DOCUMENT],
    ['a phone key', () => pixKeyHash(sealer, 'op_1', '+5511999998888', 'phone'), PHONE],
    ['a phone key without its type', () => pixKeyHash(sealer, 'op_1', '+55 11 99999-8888'), PHONE],
    ['an e-mail key', () => pixKeyHash(sealer, 'op_1', 'Ana@Loja.test', 'email'), EMAIL],
    ['an address', () => ipHash(sealer, 'op_1', '192.0.2.7'), IP],
    ['an address mapped into IPv6', () => ipHash(sealer, 'op_1', '::ffff:192.0.2.7'), IP],
    ['a device', () => deviceHash(sealer, 'op_1', 'phone-1'), DEVICE],
    ['a player', () => playerHash('p-1'), PLAYER],
  ] as const) {
    it(title, () => assert.equal(hex(hash()), expected));
  }

  it('the same value in another operation has another hash', () =>
    assert.notEqual(hex(documentHash(sealer, 'op_2', '52998224725')), DOCUMENT));

  it('text that is no address has no hash', () => {
    assert.equal(ipHash(sealer, 'op_1', '192.0.2.256'), null);
    assert.deepEqual(networkHashes(sealer, 'op_1', '192.0.2.256'), []);
  });

  it('an address meets every network that holds it, from itself to /8', () => {
    const hashes = networkHashes(sealer, 'op_1', '192.0.2.7').map(hex);
    assert.equal(hashes.length, 25);
    assert.equal(hashes[0], SINGLE_ADDRESS);
    assert.equal(hashes[8], NETWORK);
  });
});
