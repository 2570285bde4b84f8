// Fresh keys and secrets (specification, "Headers" and "Secret rotation"): prefixes that name the environment, letters
// and digits.
import assert from 'node:assert/strict';
import { newKeyId, newKeySecret, newWebhookSecret } from '../../../store/operations/key-material.js';

describe('key material', () => {
  for (const [title, make, form] of [
    ['a sandbox key id', () => newKeyId('sandbox'), /^key_test_[A-Za-z0-9]{24}$/],
    ['a production key id', () => newKeyId('production'), /^key_live_[A-Za-z0-9]{24}$/],
    ['a key’s secret', newKeySecret, /^[A-Za-z0-9]{48}$/],
    ['a webhook secret', newWebhookSecret, /^whsec_[A-Za-z0-9]{48}$/],
  ] as const) {
    it(`${title} has its form, and is never the same`, () => {
      const made = Array.from({ length: 100 }, () => make());
      for (const text of made) assert.match(text, form);
      assert.equal(new Set(made).size, 100);
    });
  }

  it('uses every letter and digit', () => {
    const used = new Set(Array.from({ length: 200 }, () => newKeySecret()).join(''));
    assert.equal(used.size, 62);
  });
});
