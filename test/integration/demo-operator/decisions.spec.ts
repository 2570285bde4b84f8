// The specification's two tables of ledger effects, row by row and from every position of the money.
import assert from 'node:assert/strict';
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

const DEPOSIT_STATES = [
  'created',
  'pending',
  'under_review',
  'paid',
  'expired',
  'cancelled',
  'failed',
  'returned',
  'refunded',
  'chargeback',
  'a_new_state',
];
const WITHDRAWAL_STATES = [
  'requested',
  'under_review',
  'approved',
  'processing',
  'paid',
  'rejected',
  'failed',
  'cancelled',
  'returned',
  'a_new_state',
];

describe('demo operator: what a fetched state does to money', () => {
  for (const status of DEPOSIT_STATES) {
    const expected: Decision = status === 'paid' ? { effect: 'credit', alert: null } : NOTHING;
    it(`deposit not credited, ${status}: ${expected.effect}`, () =>
      assert.deepEqual(decide(entry('deposit', 'open'), payment(status)), expected));
  }

  for (const status of DEPOSIT_STATES) {
    const alerts: Record<string, Decision['alert']> = {
      refunded: 'refunded_after_credit',
      chargeback: 'chargeback_after_credit',
    };
    const expected: Decision = { effect: 'none', alert: alerts[status] ?? null };
    it(`deposit credited, ${status}: no money, ${expected.alert ?? 'no alert'}`, () =>
      assert.deepEqual(decide(entry('deposit', 'credited'), payment(status)), expected));
  }

  for (const status of WITHDRAWAL_STATES) {
    const rows: Record<string, Decision> = {
      paid: { effect: 'settle', alert: null },
      rejected: { effect: 'give_back', alert: null },
      failed: { effect: 'give_back', alert: null },
      cancelled: { effect: 'give_back', alert: null },
      returned: { effect: 'none', alert: 'withdrawal_returned' },
    };
    const expected = rows[status] ?? NOTHING;
    it(`withdrawal reserved, ${status}: ${expected.effect}`, () =>
      assert.deepEqual(decide(entry('withdrawal', 'reserved'), payment(status)), expected));
  }

  for (const money of ['settled', 'given_back'] as const) {
    for (const status of WITHDRAWAL_STATES) {
      it(`withdrawal ${money}, ${status}: no money moves a second time`, () =>
        assert.equal(decide(entry('withdrawal', money), payment(status))?.effect, 'none'));
    }
  }

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
