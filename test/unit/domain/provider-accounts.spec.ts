// Names of accounts at providers.
import assert from 'node:assert/strict';
import { accountNameOf, isOwnAccount, pausedBy, SLOTS, slotOf } from '../../../domain/provider-accounts.js';

describe('accounts at providers', () => {
  it('are a slot, or a slot with a name', () => {
    for (const name of [...SLOTS, 'a.acme', 'simulator.b2', `b.${'x'.repeat(20)}`])
      assert.equal(accountNameOf(name), name);
    for (const name of [
      '',
      'c',
      'A',
      'a.',
      '.acme',
      'c.acme',
      'a.Acme',
      'a.2b',
      'a.b-c',
      'a.b.c',
      `b.${'x'.repeat(21)}`,
    ])
      assert.equal(accountNameOf(name), undefined, name);
  });

  it('belong to their slot, which pauses them', () => {
    assert.deepEqual([slotOf('a.acme'), slotOf('a')], ['a', 'a']);
    assert.deepEqual([isOwnAccount('a.acme'), isOwnAccount('a')], [true, false]);
    assert.deepEqual([pausedBy('a.acme'), pausedBy('a')], [['a.acme', 'a'], ['a']]);
  });
});
