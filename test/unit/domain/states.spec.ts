// Which trigger moves a payment from which state to which (specification, "States and transitions"), written out
// trigger by trigger.
import assert from 'node:assert/strict';
import {
  CLOSED_DEPOSIT_STATUSES,
  DEPOSIT_REVIEW_REASONS,
  DEPOSIT_STATUSES,
  DEPOSIT_TRANSITIONS,
  DEPOSIT_TRIGGERS,
  depositAllows,
  EXPIRY_GRACE_SECONDS,
  isDepositClosed,
  LATE_PAYMENT_STATUSES,
  peopleOf,
} from '../../../domain/payments/deposit.js';
import {
  approvalsNeeded,
  CLOSED_WITHDRAWAL_STATUSES,
  DICT_BACKOFF_SECONDS,
  DICT_CHECK_BUDGET_SECONDS,
  isWithdrawalClosed,
  REJECTING_REASONS,
  WITHDRAWAL_STATUSES,
  WITHDRAWAL_TRANSITIONS,
  WITHDRAWAL_TRIGGERS,
  withdrawalAllows,
} from '../../../domain/payments/withdrawal.js';

/** Trigger, states it starts from, state it leads to, event, movement of money. */
const DEPOSIT = [
  ['charge_created', ['created'], 'pending', 'deposit.pending', null],
  ['charge_refused', ['created'], 'failed', 'deposit.failed', null],
  ['payment_matched', ['pending'], 'paid', 'deposit.paid', 'deposit_credited'],
  ['payment_in_doubt', ['pending'], 'under_review', 'deposit.under_review', 'deposit_held'],
  ['expiry', ['pending'], 'expired', 'deposit.expired', null],
  ['cancel', ['pending'], 'cancelled', 'deposit.cancelled', null],
  ['charge_removed', ['pending'], 'failed', 'deposit.failed', null],
  ['approve', ['under_review'], 'paid', 'deposit.paid', 'deposit_released'],
  ['return', ['under_review'], 'returned', 'deposit.returned', 'deposit_returned'],
  ['refund', ['paid'], 'refunded', 'deposit.refunded', 'deposit_refunded'],
  ['chargeback', ['paid'], 'chargeback', 'deposit.chargeback', 'deposit_charged_back'],
] as const;

const WITHDRAWAL = [
  ['decided_automatic', ['requested'], 'approved', 'withdrawal.approved', null],
  ['decided_manual', ['requested'], 'under_review', 'withdrawal.under_review', null],
  ['blocked', ['requested'], 'rejected', 'withdrawal.rejected', 'withdrawal_released'],
  ['approve', ['under_review'], 'approved', 'withdrawal.approved', null],
  ['refuse', ['under_review'], 'rejected', 'withdrawal.rejected', 'withdrawal_released'],
  ['cancel', ['requested', 'under_review', 'approved'], 'cancelled', 'withdrawal.cancelled', 'withdrawal_released'],
  ['blocked_at_dispatch', ['approved'], 'cancelled', 'withdrawal.cancelled', 'withdrawal_released'],
  ['provider_replied', ['approved'], 'processing', 'withdrawal.processing', null],
  ['payout_settled', ['processing'], 'paid', 'withdrawal.paid', 'withdrawal_paid'],
  ['payout_failed', ['processing'], 'failed', 'withdrawal.failed', 'withdrawal_released'],
  ['payout_returned', ['paid'], 'returned', 'withdrawal.returned', 'withdrawal_returned'],
] as const;

/** Triggers of a payment whose workflow has ended. */
const REOPENING = ['refund', 'chargeback', 'payout_returned'];
const reopens = (trigger: string) => (REOPENING.includes(trigger) ? { reopens: true } : {});

/** States in which the payment's workflow has ended. */
const CLOSED = {
  deposit: ['paid', 'expired', 'cancelled', 'failed', 'returned', 'refunded', 'chargeback'],
  withdrawal: ['paid', 'rejected', 'failed', 'cancelled', 'returned'],
};

describe('deposit states', () => {
  it('are those of the specification', () =>
    assert.deepEqual(DEPOSIT_STATUSES, ['created', 'pending', 'under_review', ...CLOSED.deposit]));

  it('have these triggers', () =>
    assert.deepEqual(
      DEPOSIT_TRIGGERS,
      DEPOSIT.map(([trigger]) => trigger),
    ));

  for (const [trigger, from, to, event, moves] of DEPOSIT) {
    it(`${trigger}: ${from.join(', ')} → ${to}`, () =>
      assert.deepEqual(DEPOSIT_TRANSITIONS[trigger], { from, to, event, moves, ...reopens(trigger) }));
    for (const status of DEPOSIT_STATUSES) {
      const isAllowed = (from as readonly string[]).includes(status);
      it(`${trigger} in ${status} ${isAllowed ? 'moves it' : 'changes nothing'}`, () =>
        assert.equal(depositAllows(trigger, status), isAllowed));
    }
  }

  it('closed: no workflow waits in them', () => {
    assert.deepEqual(CLOSED_DEPOSIT_STATUSES, CLOSED.deposit);
    for (const status of DEPOSIT_STATUSES) assert.equal(isDepositClosed(status), CLOSED.deposit.includes(status));
  });

  it('expired, cancelled and failed make a payment late', () =>
    assert.deepEqual(LATE_PAYMENT_STATUSES, ['expired', 'cancelled', 'failed']));

  it('expire two minutes after expires_at', () => assert.equal(EXPIRY_GRACE_SECONDS, 120));

  it('are held for these reasons', () =>
    assert.deepEqual(DEPOSIT_REVIEW_REASONS, [
      'PAYER_MISMATCH',
      'PAYER_UNKNOWN',
      'PAYER_BLOCKED',
      'AMOUNT_MISMATCH',
      'PAID_AFTER_EXPIRY',
      'RULES_UNAVAILABLE',
      'RULES_INVALID_RESPONSE',
    ]));

  it('name each person who decided once, in the order of their first decision', () =>
    assert.deepEqual(peopleOf([{ person: 'ben' }, { person: 'ana' }, { person: 'ben' }]), ['ben', 'ana']));
});

describe('withdrawal states', () => {
  it('are those of the specification', () =>
    assert.deepEqual(WITHDRAWAL_STATUSES, [
      'requested',
      'under_review',
      'approved',
      'processing',
      ...CLOSED.withdrawal,
    ]));

  it('have these triggers', () =>
    assert.deepEqual(
      WITHDRAWAL_TRIGGERS,
      WITHDRAWAL.map(([trigger]) => trigger),
    ));

  for (const [trigger, from, to, event, moves] of WITHDRAWAL) {
    it(`${trigger}: ${from.join(', ')} → ${to}`, () =>
      assert.deepEqual(WITHDRAWAL_TRANSITIONS[trigger], { from, to, event, moves, ...reopens(trigger) }));
    for (const status of WITHDRAWAL_STATUSES) {
      const isAllowed = (from as readonly string[]).includes(status);
      it(`${trigger} in ${status} ${isAllowed ? 'moves it' : 'changes nothing'}`, () =>
        assert.equal(withdrawalAllows(trigger, status), isAllowed));
    }
  }

  it('closed: no workflow waits in them', () => {
    assert.deepEqual(CLOSED_WITHDRAWAL_STATUSES, CLOSED.withdrawal);
    for (const status of WITHDRAWAL_STATUSES)
      assert.equal(isWithdrawalClosed(status), CLOSED.withdrawal.includes(status));
  });

  it('need two approvals with DUAL_APPROVAL_REQUIRED, one with any other reason', () => {
    assert.equal(approvalsNeeded([]), 1);
    assert.equal(approvalsNeeded(['FIRST_WITHDRAWAL', 'NEW_CONTEXT']), 1);
    assert.equal(approvalsNeeded(['FIRST_WITHDRAWAL', 'DUAL_APPROVAL_REQUIRED']), 2);
  });

  it('are rejected after the 201 for these reasons', () =>
    assert.deepEqual(REJECTING_REASONS, [
      'DOCUMENT_MISMATCH',
      'PLAYER_DOCUMENT_CHANGED',
      'PLAYER_BLOCKED',
      'DESTINATION_BLOCKED',
    ]));

  it('wait about five minutes for DICT, which is asked again with growing pauses', () => {
    assert.equal(DICT_CHECK_BUDGET_SECONDS, 300);
    assert.deepEqual(DICT_BACKOFF_SECONDS, [2, 5, 10, 20, 40, 60, 60, 60, 60]);
  });
});
