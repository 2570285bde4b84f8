// The table of waits for somebody outside: total over the open states and the alerts, and nothing waits in silence.
import assert from 'node:assert/strict';
import { DEPOSIT_STATUSES, isDepositClosed } from '../../../domain/payments/deposit.js';
import {
  alertsOf,
  isProcessCondition,
  OUTSIDE_WAITS,
  type OutsideWait,
  PROCESS_ALERTS,
  processAlert,
} from '../../../domain/payments/outside-waits.js';
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

describe('the alerts of a payment’s process', () => {
  it('names the payment, the condition and a code', () =>
    assert.deepEqual(processAlert('payout_unanswered', 'wdr_1', 'http_500'), {
      kind: 'PAYOUT_OUTCOME_UNKNOWN',
      detail: 'wdr_1: the provider does not answer look-ups (http_500)',
      occasion: null,
    }));

  for (const code of ['timeout', 'ECONNREFUSED', 'UND_ERR_HEADERS_TIMEOUT', 'http_503'])
    it(`${code} is a code`, () => assert.ok(processAlert('nothing_sent', 'wdr_1', code).detail.endsWith(`(${code})`)));

  for (const text of [
    '529.982.247-25',
    '52998224725',
    'Ana Souza',
    'x_52998224725',
    'http_5000',
    `${'a'.repeat(32)}`,
    '',
  ])
    it(`"${text}" is left out`, () =>
      assert.equal(processAlert('nothing_sent', 'wdr_1', text).detail, 'wdr_1: nothing was sent'));

  it('no other condition is known', () => {
    assert.ok(isProcessCondition('cash_box_short'));
    for (const text of ['CASH_BOX_SHORT', 'toString', '__proto__', '', null, undefined, {}])
      assert.ok(!isProcessCondition(text));
  });
});
