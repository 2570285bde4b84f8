// The hashes that equal values meet by: fixed values of HMAC-SHA256, because stored hashes must be found again for ever.
import assert from 'node:assert/strict';
import {
  deviceHash,
  documentHash,
  ipHash,
  networkHashes,
  pixKeyHash,
  playerHash,
} from '../../../store/sealing/lookup-hashes.js';
import { keysInMemory, Sealer } from '../../../store/sealing/sealer.js';

/** Computed outside the product: HMAC-SHA256 of `kind LF value` with 32 bytes of 9. */
const DOCUMENT = 'd4d28e95e5907e06030638ee64e84ff906c193512ce3582c105b96a3fb805097';
const PHONE = '9660c60c4edb886b124ca56acdb5c74e8c4b51396c8c80851518378f5455e07f';
const EMAIL = 'c3821bdc1143bce1388cc5af6539b2a09237ce4603ed6db23841aba626c01076';
const IP = 'd3d67befbaf9e3396e5f5271d3aa93110f3e1ee33bbfc9e78c9531fcd587514c';
const SINGLE_ADDRESS = '7aa44d7c16e477e3ce7b8765f3819c840bb105070515e7bf2156d5bc534eff32';
const NETWORK = 'aed34a93afc6bcd30bc301631d578b1000acbe211aa97a1d52ede12b71b1d183';
const DEVICE = 'd9f2a4186ee0730f18fadd4c296daa3ecab8cafa377cb6bbd46e0b340c995877';
/** SHA-256 of `player LF p-1`, without a key. */
const PLAYER = 'ca396187169ad2730a7ee6c476f58757c432080e48cd565303a4bc66c7328ec3';

describe('look-up hashes', () => {
  const sealer = new Sealer(keysInMemory([{ id: 'k1', key: Buffer.alloc(32, 7) }], Buffer.alloc(32, 9)));
  const hex = (hash: Uint8Array | null) => Buffer.from(hash ?? []).toString('hex');

  for (const [title, hash, expected] of [
    ['a CPF', () => documentHash(sealer, '52998224725'), DOCUMENT],
    ['a CPF with punctuation', () => documentHash(sealer, '529.982.247-25'), DOCUMENT],
    ['a phone key', () => pixKeyHash(sealer, '+5511999998888', 'phone'), PHONE],
    ['a phone key without its type', () => pixKeyHash(sealer, '+55 11 99999-8888'), PHONE],
    ['an e-mail key', () => pixKeyHash(sealer, 'Ana@Loja.test', 'email'), EMAIL],
    ['an address', () => ipHash(sealer, '192.0.2.7'), IP],
    ['an address mapped into IPv6', () => ipHash(sealer, '::ffff:192.0.2.7'), IP],
    ['a device', () => deviceHash(sealer, 'phone-1'), DEVICE],
    ['a player', () => playerHash('p-1'), PLAYER],
  ] as const) {
    it(title, () => assert.equal(hex(hash()), expected));
  }

  it('text that is no address has no hash', () => {
    assert.equal(ipHash(sealer, '192.0.2.256'), null);
    assert.deepEqual(networkHashes(sealer, '192.0.2.256'), []);
  });

  it('an address meets every network that holds it, from itself to /8', () => {
    const hashes = networkHashes(sealer, '192.0.2.7').map(hex);
    assert.equal(hashes.length, 25);
    assert.equal(hashes[0], SINGLE_ADDRESS);
    assert.equal(hashes[8], NETWORK);
  });
});
