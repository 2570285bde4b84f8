// Check 6 against the specification's own words: six lines, HMAC-SHA256, `v1=` and 64 lower-case hex characters.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { signatureMatches } from '../../../api/middleware/signature.js';

const SECRET = Buffer.from('a secret as it was received');
const REQUEST = {
  timestamp: '1767225603',
  nonce: '0123456789abcdef0123456789abcdf2',
  method: 'POST',
  target: '/v1/deposits?a=%20b',
  body: Buffer.from('{"a":1}'),
};

function signed(secret: Buffer = SECRET): string {
  const { timestamp, nonce, method, target, body } = REQUEST;
  const lines = ['v1', timestamp, nonce, method, target, createHash('sha256').update(body).digest('hex')].join('\n');
  return createHmac('sha256', secret).update(lines).digest('hex');
}

describe('the signature of a request', () => {
  it('is taken as the specification writes it', () =>
    assert.equal(signatureMatches(REQUEST, `v1=${signed()}`, SECRET), true));

  // All of these are the right MAC, spelt otherwise.
  for (const [title, spell] of [
    ['in upper case', (hex: string) => `v1=${hex.toUpperCase()}`],
    ['with one upper-case letter', (hex: string) => `v1=${hex.replace(/[a-f]/, (letter) => letter.toUpperCase())}`],
    ['without v1=', (hex: string) => hex],
    ['with V1=', (hex: string) => `V1=${hex}`],
    ['with a space behind', (hex: string) => `v1=${hex} `],
    ['twice', (hex: string) => `v1=${hex}, v1=${hex}`],
    ['in base64', (hex: string) => `v1=${Buffer.from(hex, 'hex').toString('base64')}`],
  ] as const) {
    it(`is refused ${title}`, () => assert.equal(signatureMatches(REQUEST, spell(signed()), SECRET), false));
  }

  it('is refused of another request: each line counts', () => {
    for (const [line, value] of Object.entries({
      timestamp: '1767225604',
      nonce: 'f'.repeat(32),
      method: 'GET',
      target: '/v1/deposits?a= b',
      body: Buffer.from('{"a":2}'),
    })) {
      assert.equal(signatureMatches({ ...REQUEST, [line]: value }, `v1=${signed()}`, SECRET), false, line);
    }
  });

  it('covers the bytes of the request line as they were sent, also those beyond ASCII', () => {
    // Node reads the byte E9 of a request line as "é". The signature was computed outside the product over that one
    // byte.
    const request = { ...REQUEST, method: 'GET', target: '/v1/deposits?a=é', body: Buffer.alloc(0) };
    const signature = 'v1=76e40d871132809ec525854ebcb7e58aef26fe7e82e97bef613cadd88b25d376';
    assert.equal(signatureMatches(request, signature, SECRET), true);
  });

  it('→ refused: unknown key, also with the placeholder that is used in place of its secret', () => {
    const standIn = Buffer.from('no key has this secret; it only keeps the work the same');
    assert.equal(signatureMatches(REQUEST, `v1=${signed(standIn)}`, undefined), false);
  });

  it('is refused under another secret, under none, and when it is missing', () => {
    assert.equal(signatureMatches(REQUEST, `v1=${signed(Buffer.from('another secret'))}`, SECRET), false);
    assert.equal(signatureMatches(REQUEST, `v1=${signed()}`, undefined), false);
    assert.equal(signatureMatches(REQUEST, undefined, SECRET), false);
  });
});
