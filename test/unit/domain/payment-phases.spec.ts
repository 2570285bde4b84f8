// The states that count and those that do not agree with the state tables.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CLOSED_DEPOSIT_STATUSES,
  DEPOSIT_PHASES,
  DEPOSIT_STATUSES,
  DEPOSIT_TRANSITIONS,
  type DepositTransition,
  statusesOf,
} from '../../../domain/payments/deposit.js';
import {
  CLOSED_WITHDRAWAL_STATUSES,
  WITHDRAWAL_PHASES,
  WITHDRAWAL_STATUSES,
  WITHDRAWAL_TRANSITIONS,
  type WithdrawalTransition,
} from '../../../domain/payments/withdrawal.js';
import { projectRoot } from '../../../platform/config/project-root.js';

const STATEMENTS = ['rules/facts/deposit.sql', 'rules/facts/withdrawal.sql', 'ledger/check.sql'];
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

  it('are the lists of states in the statements: literals, which partial indexes match', () => {
    const lists = [statusesOf(DEPOSIT_PHASES, 'void'), statusesOf(WITHDRAWAL_PHASES, 'void')].map(
      (one) => `NOT IN ${one}`,
    );
    const known = [
      ...lists,
      `IN ${statusesOf(DEPOSIT_PHASES, 'settled')}`,
      `IN ${statusesOf(WITHDRAWAL_PHASES, 'open')}`,
    ];
    const texts = STATEMENTS.map((file) => readFileSync(join(projectRoot(), 'store', file), 'utf8'));
    const found = texts.flatMap((text) =>
      [...text.matchAll(/\bstatus ((?:NOT )?IN) \(([^)]*)\)/g)].map(([, is, states]) =>
        `${is} ${states}`.replace(/[' ]/g, ''),
      ),
    );
    assert.ok(found.length > 20);
    assert.deepEqual([...new Set(found)].sort(), known.map((one) => one.replace(/ /g, '')).sort());
  });
});
