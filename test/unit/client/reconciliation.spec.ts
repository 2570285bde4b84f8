// Closed days: the published vectors, computed again by the client's code.
import assert from 'node:assert/strict';
import {
  canonicalListBytes,
  isReconciliationOrdered,
  reconciliationDigest,
  reconciliationSignedText,
  verifyReconciliationSignature,
} from '../../../client/index.js';
import { vectors } from './test-vectors.js';

describe('closed days', () => {
  for (const vector of vectors.reconciliation) {
    const day = {
      date: vector.date,
      currency: vector.currency,
      digest: reconciliationDigest(vector.items),
      signature: vector.signature_header,
    };

    it(`vector: ${vector.name}`, () => {
      assert.ok(isReconciliationOrdered(vector.items));
      assert.equal(canonicalListBytes(vector.items).toString('utf8'), vector.canonical_list);
      assert.equal(day.digest, vector.digest);
      assert.equal(reconciliationSignedText(day), vector.signed_text);
      for (const secret of vector.signing_secrets)
        assert.ok(verifyReconciliationSignature(day, [secret]), 'each secret alone');
    });

    it(`vector: ${vector.name}: another secret, day, currency or digest is refused`, () => {
      assert.equal(verifyReconciliationSignature(day, ['whsec_other']), false);
      for (const change of [
        { date: '2026-01-02' },
        { currency: 'USD' },
        { digest: '0'.repeat(64) },
        { signature: null },
        { signature: vector.signature_header.replaceAll('v1=', 'v2=') },
      ]) {
        assert.equal(
          verifyReconciliationSignature({ ...day, ...change }, vector.signing_secrets),
          false,
          JSON.stringify(change),
        );
      }
    });
  }
});
