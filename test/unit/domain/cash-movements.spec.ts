// Cash movements: where each kind takes money from, where to, and when it must be covered.
import assert from 'node:assert/strict';
import { accountsOf, CASH_MOVEMENT_KINDS, isCovered } from '../../../domain/cash-movements.js';

describe('cash movements', () => {
  const KINDS = [
    ['funding', 'provider_clearing', 'available', false],
    ['settlement', 'available', 'provider_clearing', true],
    ['moved', 'available', 'available', true],
    ['suspense_returned', 'suspense', 'provider_clearing', true],
    ['suspense_credited', 'suspense', 'available', true],
    ['suspense_assigned', 'suspense', 'available', true],
    ['correction_up', 'provider_clearing', 'available', false],
    ['correction_down', 'available', 'provider_clearing', false],
  ] as const;

  it('are these kinds', () =>
    assert.deepEqual(
      CASH_MOVEMENT_KINDS,
      KINDS.map(([kind]) => kind),
    ));

  for (const [kind, from, to, mustBeCovered] of KINDS)
    it(`${kind}: from ${from} to ${to}, ${mustBeCovered ? 'covered' : 'whatever the balance'}`, () => {
      assert.deepEqual(accountsOf(kind), { from, to });
      assert.equal(isCovered(kind, 100n, 100n), true);
      assert.equal(isCovered(kind, 100n, 99n), !mustBeCovered);
    });
});
