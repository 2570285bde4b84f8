// A provider that does not answer blocks nobody's decision: not by look-ups that wait for it, no matter who requested
// them. Temporal is real: the time-skipping server has no limit of updates under way.
import assert from 'node:assert/strict';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';

/** More than Temporal's limit of ten. */
const REFRESHES = 12;

describe('a silent provider', () => {
  const gateway = useGateway({ on: 'dev server' });

  it(`${REFRESHES} refreshes of a deposit are answered with what is known, and a decision counts`, async () => {
    const deposit = await gateway.pendingDeposit();
    await deposit.pay({ payerMatch: 'unknown' });
    deposit.charge.isSilent = true;
    await deposit.refresh();
    const looked = deposit.charge.lookups;
    await eventually(() => deposit.charge.lookups > looked, 'it is looked up patiently');
    const answers = await Promise.all(Array.from({ length: REFRESHES }, () => deposit.refresh()));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], ['under_review']);
    const returned = await deposit.review('return');
    assert.equal(returned !== 'closed' && returned.kind, 'returning');
  });

  it(`${REFRESHES} refreshes of a payout are answered with what is known, and it is settled when the provider answers`, async () => {
    const withdrawal = gateway.newWithdrawal();
    await withdrawal.create();
    await withdrawal.untilStatus('processing');
    withdrawal.payout.isSilent = true;
    await withdrawal.refresh();
    const looked = withdrawal.payout.lookups;
    await eventually(() => withdrawal.payout.lookups > looked, 'it is looked up patiently');
    const answers = await Promise.all(Array.from({ length: REFRESHES }, () => withdrawal.refresh()));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], ['processing']);
    withdrawal.payout.settle(new Date().toISOString());
    withdrawal.payout.isSilent = false;
    await withdrawal.untilStatus('paid').catch(() => assert.equal(withdrawal.row.status, 'paid'));
  });
});
