// The specification's two tables of ledger effects, row by row and from every position of the money.
import assert from 'node:assert/strict';
import { DEPOSIT_STATUSES } from '../../../domain/payments/deposit.js';
import { WITHDRAWAL_STATUSES } from '../../../domain/payments/withdrawal.js';
import { decide } from '../../../sandbox/demo-operator/decisions.js';
import type { Decision, Entry } from '../../../sandbox/demo-operator/decisions.js';
import type { Payment } from '../../../sandbox/demo-operator/records.js';

const AMOUNT = { amount: '5000', currency: 'BRL' };
const NOTHING: Decision = { effect: 'none', alert: null };

function entry(kind: Entry['kind'], money: Entry['money'], version = 1): Entry {
  return {
    kind,
    money,
    version,
    objectId: 'obj_1',
    status: 'pending',
    paidAt: null,
    intent: { external_id: 'x-1', amount: AMOUNT, player_ref: 'p-1' },
  };
}

function payment(status: string, changes: Partial<Payment> = {}): Payment {
  return {
    id: 'obj_1',
    external_id: 'x-1',
    status,
    version: 2,
    amount: AMOUNT,
    player_ref: 'p-1',
    paid_at: null,
    ...changes,
  };
}

const DEPOSIT_STATES = [...DEPOSIT_STATUSES, 'a_new_state'];
const WITHDRAWAL_STATES = [...WITHDRAWAL_STATUSES, 'a_new_state'];

describe('demo operator: what a fetched state does to money', () => {
  it('a deposit is credited when it is paid, once; what happens to it afterwards moves nothing and alerts', () => {
    const alerts: Record<string, Decision['alert']> = {
      refunded: 'refunded_after_credit',
      chargeback: 'chargeback_after_credit',
    };
    for (const status of DEPOSIT_STATES) {
      const open: Decision = status === 'paid' ? { effect: 'credit', alert: null } : NOTHING;
      assert.deepEqual(decide(entry('deposit', 'open'), payment(status)), open, status);
      const credited: Decision = { effect: 'none', alert: alerts[status] ?? null };
      assert.deepEqual(decide(entry('deposit', 'credited'), payment(status)), credited, status);
    }
  });

  it('a withdrawal is settled or given back at its end, and moves no money a second time', () => {
    const rows: Record<string, Decision> = {
      paid: { effect: 'settle', alert: null },
      rejected: { effect: 'give_back', alert: null },
      failed: { effect: 'give_back', alert: null },
      cancelled: { effect: 'give_back', alert: null },
      returned: { effect: 'none', alert: 'withdrawal_returned' },
    };
    for (const status of WITHDRAWAL_STATES) {
      assert.deepEqual(decide(entry('withdrawal', 'reserved'), payment(status)), rows[status] ?? NOTHING, status);
      for (const money of ['settled', 'given_back'] as const)
        assert.equal(decide(entry('withdrawal', money), payment(status))?.effect, 'none', status);
    }
  });

  it('withdrawal given back, then paid: a person must look', () => {
    assert.equal(decide(entry('withdrawal', 'given_back'), payment('paid'))?.alert, 'paid_after_give_back');
  });

  it('a version that is equal or lower is ignored, whatever it says', () => {
    for (const version of [1, 2]) assert.equal(decide(entry('deposit', 'open', 2), payment('paid', { version })), null);
  });

  it('any difference from the own record moves nothing and alerts', () => {
    const differences: readonly (readonly [Partial<Payment>, Decision['alert']])[] = [
      [{ amount: { amount: '5001', currency: 'BRL' } }, 'amount_differs'],
      [{ amount: { amount: '5000', currency: 'USD' } }, 'amount_differs'],
      [{ player_ref: 'p-2' }, 'player_differs'],
      [{ id: 'obj_2' }, 'another_object'],
    ];
    for (const [change, alert] of differences) {
      assert.deepEqual(decide(entry('deposit', 'open'), payment('paid', change)), { effect: 'none', alert });
      assert.deepEqual(decide(entry('withdrawal', 'reserved'), payment('paid', change)), { effect: 'none', alert });
      assert.deepEqual(decide(entry('withdrawal', 'reserved'), payment('failed', change)), { effect: 'none', alert });
    }
    assert.deepEqual(decide(undefined, payment('paid')), { effect: 'none', alert: 'unknown_external_id' });
  });
});
