// The table of waits for somebody outside: total over the open states and the alerts, and nothing waits in silence.
import assert from 'node:assert/strict';
import { DEPOSIT_STATUSES, isDepositClosed } from '../../../domain/payments/deposit.js';
import { alertsOf, OUTSIDE_WAITS, type OutsideWait } from '../../../domain/payments/outside-waits.js';
import { PROCESS_ALERTS } from '../../../domain/payments/process-alerts.js';
import { isWithdrawalClosed, WITHDRAWAL_STATUSES } from '../../../domain/payments/withdrawal.js';
import { readAlertRules } from '../../../tools/docs/alert-rules.js';

const WAITS = Object.entries<OutsideWait>(OUTSIDE_WAITS);
/** These end by themselves, at a time that the state itself has. */
const ENDS_BY_ITSELF = ['payment', 'key_owner'];

describe('waits for somebody outside', () => {
  it('every open state has one', () => {
    const open = [
      ...DEPOSIT_STATUSES.filter((status) => !isDepositClosed(status)).map((status) => `deposit ${status}`),
      ...WITHDRAWAL_STATUSES.filter((status) => !isWithdrawalClosed(status)).map((status) => `withdrawal ${status}`),
    ];
    const waited = new Set(WAITS.map(([, wait]) => `${wait.of} ${wait.while}`));
    // The one wait of a state that has ended: whether its end was right.
    assert.ok(waited.delete('deposit expired'));
    assert.deepEqual([...waited].sort(), open.sort());
  });

  for (const [name, wait] of WAITS)
    it(`${name}: ${ENDS_BY_ITSELF.includes(name) ? 'ends by itself' : 'somebody is alerted'}`, () => {
      assert.equal(alertsOf(wait).length === 0, ENDS_BY_ITSELF.includes(name));
      const seconds = wait.checked?.stages.map((stage) => stage.seconds) ?? [];
      assert.deepEqual(
        seconds,
        [...seconds].sort((a, b) => a - b),
      );
    });

  it('every alert that a process raises stands at the wait of its state', () => {
    const named = WAITS.flatMap(([, wait]) =>
      (wait.atOnce?.conditions ?? []).map((condition) => ({ condition, wait })),
    );
    assert.deepEqual(named.map(({ condition }) => condition).sort(), Object.keys(PROCESS_ALERTS).sort());
    for (const { condition, wait } of named)
      assert.deepEqual([wait.of, wait.while], [PROCESS_ALERTS[condition].of, PROCESS_ALERTS[condition].while]);
  });

  it('the alerting rules exist', () => {
    const rules = readAlertRules().map(({ alert }) => alert);
    for (const [, { rule }] of WAITS) assert.ok(rule === undefined || rules.includes(rule), rule);
  });
});
