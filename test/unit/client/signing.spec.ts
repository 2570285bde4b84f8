// Request signatures: every published vector, and every way in which one byte changes the result.
import assert from 'node:assert/strict';
import { canonicalRequest, sha256Hex, signatureHeaders } from '../../../client/signing.js';
import type { SigningInput } from '../../../client/signing.js';
import { vectors } from './test-vectors.js';
import type { RequestVector } from './test-vectors.js';

function inputOf(vector: RequestVector): SigningInput {
  return {
    method: vector.method,
    target: vector.target,
    body: Buffer.from(vector.body, 'utf8'),
    timestampSeconds: vector.timestamp,
    nonce: vector.nonce,
  };
}

function signatureOf(
  vector: RequestVector,
  changes: Partial<SigningInput> = {},
  secret = vector.secret,
): string | undefined {
  return signatureHeaders({ keyId: vector.key_id, secret }, { ...inputOf(vector), ...changes })['Svc-Signature'];
}

function firstVector(): RequestVector {
  const vector = vectors.requests[0];
  assert.ok(vector);
  return vector;
}

describe('client: request signing', () => {
  it('has vectors for empty bodies, queries and non-ASCII bodies', () => {
    assert.ok(vectors.requests.some((vector) => vector.body === ''));
    assert.ok(vectors.requests.some((vector) => vector.target.includes('?')));
    assert.ok(vectors.requests.some((vector) => Buffer.byteLength(vector.body) > vector.body.length));
  });

  for (const vector of vectors.requests) {
    it(`vector: ${vector.name}`, () => {
      const input = inputOf(vector);
      assert.equal(sha256Hex(input.body), vector.body_sha256);
      assert.equal(canonicalRequest(input), vector.canonical_request);
      assert.deepEqual(signatureHeaders({ keyId: vector.key_id, secret: vector.secret }, input), {
        'Svc-Key-Id': vector.key_id,
        'Svc-Timestamp': String(vector.timestamp),
        'Svc-Nonce': vector.nonce,
        'Svc-Signature': vector.signature_header,
      });
    });

    it(`every changed byte gives another signature: ${vector.name}`, () => {
      const body = Buffer.from(vector.body, 'utf8');
      for (let at = 0; at < body.length; at += 1) {
        const changed = Buffer.from(body);
        changed[at] = (changed[at] ?? 0) ^ 1;
        assert.notEqual(signatureOf(vector, { body: changed }), vector.signature_header, `body byte ${at}`);
      }
      for (let at = 1; at < vector.target.length; at += 1) {
        const target = `${vector.target.slice(0, at)}~${vector.target.slice(at + 1)}`;
        assert.notEqual(signatureOf(vector, { target }), vector.signature_header, `target character ${at}`);
      }
      for (let at = 0; at < vector.nonce.length; at += 1) {
        const digit = vector.nonce[at] === '0' ? '1' : '0';
        const nonce = vector.nonce.slice(0, at) + digit + vector.nonce.slice(at + 1);
        assert.notEqual(signatureOf(vector, { nonce }), vector.signature_header, `nonce digit ${at}`);
      }
      assert.notEqual(signatureOf(vector, { timestampSeconds: vector.timestamp + 1 }), vector.signature_header);
      assert.notEqual(signatureOf(vector, { method: 'PUT' }), vector.signature_header);
      assert.notEqual(signatureOf(vector, { body: Buffer.concat([body, Buffer.from('\n')]) }), vector.signature_header);
      assert.notEqual(signatureOf(vector, {}, `${vector.secret} `), vector.signature_header);
    });
  }

  it('signs the method in upper case', () => {
    const vector = firstVector();
    assert.equal(signatureOf(vector, { method: vector.method.toLowerCase() }), vector.signature_header);
  });

  it('refuses what would not arrive as signed: a line feed, a space, a bare path, a short nonce, a fractional time', () => {
    const vector = firstVector();
    for (const target of ['/v1/ping\nx', '/v1/a b', 'v1/ping', '/v1/ação', '']) {
      assert.throws(() => signatureOf(vector, { target }), RangeError, target);
    }
    for (const nonce of [
      '',
      'A'.repeat(32),
      'a'.repeat(31),
      `${'a'.repeat(32)}\n`,
      'a'.repeat(33),
      `x${'a'.repeat(32)}`,
    ]) {
      assert.throws(() => signatureOf(vector, { nonce }), RangeError, nonce);
    }
    for (const timestampSeconds of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => signatureOf(vector, { timestampSeconds }), RangeError, String(timestampSeconds));
    }
  });
});
