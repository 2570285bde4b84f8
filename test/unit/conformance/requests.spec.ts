// What the stand-in gateway of the conformance kit finds wrong with a request: each fault, one at a time.
import assert from 'node:assert/strict';
import { signatureHeaders } from '../../../client/signing.js';
import { openKeyRing, postFault, readOrder } from '../../../conformance/gateway/requests.js';
import type { ReceivedRequest } from '../../../conformance/gateway/requests.js';

const KEY = { keyId: 'key_test_kit', secret: 'a secret' };
const NONCE = '0123456789abcdef0123456789abcdef';

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

function signed(timestampSeconds = nowSeconds(), nonce = NONCE, secret = KEY.secret): ReceivedRequest {
  const input = { method: 'GET', target: '/v1/events?after=evt_1', body: Buffer.alloc(0), timestampSeconds, nonce };
  const headers = Object.entries(signatureHeaders({ ...KEY, secret }, input));
  return {
    ...{ method: 'GET', target: input.target, rawBody: Buffer.alloc(0) },
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
  };
}

const ORDER = {
  external_id: 'x-1',
  player: { external_ref: 'p-1', document: { type: 'CPF', number: '52998224725', country: 'BR' } },
  amount: { amount: '100', currency: 'BRL' },
  method: 'pix',
};
const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

describe('conformance: requests', () => {
  const faultOf = (request: ReceivedRequest): string | null => {
    const ring = openKeyRing();
    ring.add(KEY);
    return ring.signatureFault(request);
  };

  it('finds nothing wrong with a request that is signed as it is sent', () => assert.equal(faultOf(signed()), null));

  it('finds another key, another secret, another query, another body', () => {
    const right = signed();
    assert.equal(openKeyRing().signatureFault(right), 'unknown_key');
    assert.equal(faultOf(signed(nowSeconds(), NONCE, 'another secret')), 'invalid_signature');
    assert.equal(faultOf({ ...right, target: '/v1/events?after=evt_2' }), 'invalid_signature');
    assert.equal(faultOf({ ...right, rawBody: Buffer.from('{}') }), 'invalid_signature');
    assert.equal(faultOf({ ...right, headers: {} }), 'unknown_key');
  });

  it('finds a time outside the window, to the second', () => {
    assert.equal(faultOf(signed(nowSeconds() - 302)), 'timestamp_out_of_window');
    assert.equal(faultOf(signed(nowSeconds() + 302)), 'timestamp_out_of_window');
    assert.equal(faultOf(signed(nowSeconds() - 298)), null);
    assert.equal(faultOf(signed(nowSeconds() + 298)), null);
  });

  it('finds a nonce that was used before, and a key that was revoked', () => {
    const ring = openKeyRing();
    ring.add(KEY);
    assert.equal(ring.signatureFault(signed()), null);
    assert.equal(ring.signatureFault(signed()), 'replayed_nonce');
    ring.revoke(KEY.keyId);
    assert.equal(ring.signatureFault(signed(nowSeconds(), NONCE.replace('0', 'f'))), 'revoked_key');
  });

  it('finds a POST without a key or with another content type', () => {
    const right = { 'idempotency-key': 'deposit-create:x-1', 'content-type': 'application/json; charset=utf-8' };
    assert.equal(postFault(right), null);
    assert.equal(postFault({ ...right, 'idempotency-key': 'short' }), 'no_idempotency_key');
    assert.equal(postFault({ ...right, 'content-type': 'text/plain' }), 'content_type');
  });

  it('finds the field of a body that the contract does not have', () => {
    assert.ok('order' in readOrder('deposit', bytes(ORDER)));
    assert.deepEqual(readOrder('deposit', bytes({ ...ORDER, amount: { amount: '1.00', currency: 'BRL' } })), {
      field: 'amount.amount',
    });
    assert.deepEqual(readOrder('deposit', bytes({ ...ORDER, player: { ...ORDER.player, external_ref: 'a b' } })), {
      field: 'player.external_ref',
    });
    assert.ok('field' in readOrder('deposit', bytes({ ...ORDER, operation: 'x' })));
    assert.deepEqual(readOrder('withdrawal', bytes(ORDER)), { field: 'destination' });
  });
});
