// The alerts that a payment's process asks for: a closed condition, with a code at most.
import assert from 'node:assert/strict';
import { isProcessCondition, processAlert } from '../../../domain/payments/process-alerts.js';

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
