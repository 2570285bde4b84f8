// The states that count and those that do not agree with the state tables.
import assert from 'node:assert/strict';
import {
  CLOSED_DEPOSIT_STATUSES,
  DEPOSIT_STATUSES,
  DEPOSIT_TRANSITIONS,
  type DepositTransition,
} from '../../../domain/deposit.js';
import { DEPOSIT_PHASES, statusesOf, WITHDRAWAL_PHASES } from '../../../domain/payment-phases.js';
import {
  CLOSED_WITHDRAWAL_STATUSES,
  WITHDRAWAL_STATUSES,
  WITHDRAWAL_TRANSITIONS,
  type WithdrawalTransition,
} from '../../../domain/withdrawal.js';
import {
  DEPOSIT_COUNTS,
  DEPOSIT_SETTLED,
  WITHDRAWAL_COUNTS,
  WITHDRAWAL_OPEN,
  WITHDRAWAL_SETTLED,
} from '../../../store/payments/phase-sql.js';

const DEPOSIT_MOVES: readonly DepositTransition[] = Object.values(DEPOSIT_TRANSITIONS);
const WITHDRAWAL_MOVES: readonly WithdrawalTransition[] = Object.values(WITHDRAWAL_TRANSITIONS);

/** The states that a transition with one of these ledger movements leads to. */
function reachedBy(moves: readonly (DepositTransition | WithdrawalTransition)[], ...movements: (string | null)[]) {
  return [...new Set(moves.filter(({ moves: movement }) => movements.includes(movement)).map(({ to }) => to))].sort();
}

describe('phases', () => {
  it('classify every state', () => {
    assert.deepEqual(Object.keys(DEPOSIT_PHASES).sort(), [...DEPOSIT_STATUSES].sort());
    assert.deepEqual(Object.keys(WITHDRAWAL_PHASES).sort(), [...WITHDRAWAL_STATUSES].sort());
  });

  it('a state is open exactly while a workflow waits in it', () => {
    const closedDeposits = statusesOf(DEPOSIT_PHASES, 'settled', 'void');
    assert.deepEqual(closedDeposits.sort(), [...CLOSED_DEPOSIT_STATUSES].sort());
    const closedWithdrawals = statusesOf(WITHDRAWAL_PHASES, 'settled', 'void');
    assert.deepEqual(closedWithdrawals.sort(), [...CLOSED_WITHDRAWAL_STATUSES].sort());
  });

  it('a deposit is settled exactly when its money was credited', () => {
    const credited = reachedBy(DEPOSIT_MOVES, 'deposit_credited', 'deposit_released');
    assert.deepEqual(statusesOf(DEPOSIT_PHASES, 'settled').sort(), credited);
  });

  it('a withdrawal is void exactly when its money went back, and settled when it was paid', () => {
    const wentBack = reachedBy(WITHDRAWAL_MOVES, 'withdrawal_released', 'withdrawal_returned');
    assert.deepEqual(statusesOf(WITHDRAWAL_PHASES, 'void').sort(), wentBack);
    assert.deepEqual(statusesOf(WITHDRAWAL_PHASES, 'settled').sort(), reachedBy(WITHDRAWAL_MOVES, 'withdrawal_paid'));
  });

  it('become SQL conditions without parameters', () => {
    assert.deepEqual(
      [DEPOSIT_COUNTS, DEPOSIT_SETTLED, WITHDRAWAL_COUNTS, WITHDRAWAL_SETTLED, WITHDRAWAL_OPEN].map((one) => [
        one.sql,
        one.values,
      ]),
      [
        ["status NOT IN ('expired', 'cancelled', 'failed', 'returned', 'refunded', 'chargeback')", []],
        ["status IN ('paid')", []],
        ["status NOT IN ('rejected', 'failed', 'cancelled', 'returned')", []],
        ["status IN ('paid')", []],
        ["status IN ('requested', 'under_review', 'approved', 'processing')", []],
      ],
    );
  });
});
