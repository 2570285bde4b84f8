// When an unpaid deposit expires, and which payments come too late.
import assert from 'node:assert/strict';
import { expiryOf, isLatePayment } from '../../../domain/payments/deposit.js';

describe('a deposit', () => {
  it('expires two minutes after the time that the payer sees', () =>
    assert.equal(expiryOf({ expiresAt: '2026-11-21T23:59:00.000Z' }), '2026-11-22T00:01:00.000Z'));

  for (const [status, isLate] of [
    ['expired', true],
    ['cancelled', true],
    ['pending', false],
    ['paid', false],
  ] as const)
    it(`a payment of one that is ${status} is ${isLate ? 'late' : 'not late'}`, () =>
      assert.equal(isLatePayment(status), isLate));
});
