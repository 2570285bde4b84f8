// Fixed pauses: between look-ups of a lost payout and of a return.
import assert from 'node:assert/strict';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';

const HOUR_SECONDS = 3_600;

describe('fixed pauses', () => {
  const gateway = useGateway();

  it('a payout without a trace is looked up after 30 s, soon again, then ever more rarely, and every quarter of an hour', async () => {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.payout.sendAnswers.push('times_out_lost');
    await withdrawal.create();
    await gateway.sleep(4 * HOUR_SECONDS);
    const times = withdrawal.payout.lookupTimesMs;
    const pauses = times.slice(1).map((at, index) => Math.round((at - (times[index] ?? 0)) / 1000));
    // The first activity ends before the alert.
    assert.deepEqual(pauses.slice(0, 11), [2, 5, 15, 0, 2, 5, 15, 60, 120, 300, 900]);
    assert.ok(
      pauses.slice(11).every((pause) => pause === 900),
      pauses.join(),
    );
  });

  it('a return that takes days is asked for every quarter of an hour, also after the first day', async () => {
    const deposit = await gateway.pendingDeposit();
    await deposit.pay({ payerMatch: 'unknown' });
    deposit.charge.returnAnswers.push(...Array.from({ length: 2_000 }, () => ({ kind: 'pending' }) as const));
    const answer = deposit.review('return');
    await eventually(() => deposit.charge.returns > 0, 'the return is asked for');
    await gateway.sleep(23.5 * HOUR_SECONDS);
    await answer;
    const before = deposit.charge.returns;
    await gateway.sleep(3 * HOUR_SECONDS);
    const asked = deposit.charge.returns - before;
    assert.ok(asked >= 11 && asked <= 14, `${asked} times in three hours`);
  });
});
