// Which changes end what payments wait for.
import assert from 'node:assert/strict';
import { CASH_MOVEMENT_KINDS, type CashMovementKind } from '../../../domain/cash-movements.js';
import { waitEndedBy } from '../../../staff/acts/wake.js';

describe('what a change ends', () => {
  const moved = (movement: CashMovementKind) =>
    waitEndedBy('cash_movement', {
      movement,
      amount: { amount: '1', currency: 'BRL' },
      ...{ provider: 'a', to_provider: null, document: 'slip', reason: 'r' },
    });

  it('money into the cash box ends the wait for it; money out of it, none', () => {
    const ending = CASH_MOVEMENT_KINDS.filter((movement) => moved(movement) === 'cash_box');
    assert.deepEqual(ending.sort(), ['correction_up', 'funding', 'moved', 'suspense_assigned', 'suspense_credited']);
    assert.ok(CASH_MOVEMENT_KINDS.every((movement) => moved(movement) === 'cash_box' || moved(movement) === null));
  });

  it('a conclusion wakes the deposit whose return it is about', () => {
    const conclusion = { deposit: 'dep_1', return: 'act_1', result: 'never', return_id: null } as const;
    const wait = waitEndedBy('return_conclusion', { ...conclusion, evidence: 'ticket 4711', reason: 'r' });
    assert.deepEqual(wait, { returnOf: 'dep_1' });
  });

  it('resuming ends the wait of the checks before the send', () => {
    assert.equal(waitEndedBy('resume', {}), 'operation_suspended');
    assert.equal(waitEndedBy('automatic_resume', {}), 'operation_suspended');
    assert.equal(waitEndedBy('provider_resume', { provider: 'a' }), 'provider_paused');
  });
});
