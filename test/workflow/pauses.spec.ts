// Fixed pauses: between look-ups of a lost payout and between deliveries of a webhook.
import assert from 'node:assert/strict';
import { WorkflowNotFoundError } from '@temporalio/client';
import { redeliver } from '../../contract/temporal/webhook-delivery.js';
import { eventually } from '../../tools/harness/eventually.js';
import { useGateway } from './harness/gateway.js';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

/** The answer about a workflow that has not started yet. */
function isMissing(error: unknown): false {
  if (error instanceof WorkflowNotFoundError) return false;
  throw error;
}

describe('fixed pauses', () => {
  const gateway = useGateway();

  it('a payout without a trace is looked up after 30 s, then ever more rarely, and every quarter of an hour', async () => {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.payout.sendAnswers.push('times_out_lost');
    await withdrawal.create();
    await gateway.sleep(4 * HOUR_SECONDS);
    const times = withdrawal.payout.lookupTimesMs;
    const pauses = times.slice(1).map((at, index) => Math.round((at - (times[index] ?? 0)) / 1000));
    // The test server dates a repeated try by the end of the one before. The first activity ends before the alert.
    assert.deepEqual(pauses.slice(0, 7), [0, 30, 0, 30, 60, 120, 300]);
    assert.ok(
      pauses.slice(7).every((pause) => pause === 900),
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

  it('redeliveries that overlap use up none of the schedule', async () => {
    const deposit = await gateway.pendingDeposit();
    await eventually(() => deposit.inbox.attempts.length === 1, 'deposit.pending was delivered');
    deposit.inbox.attempts.splice(0);
    deposit.inbox.answer = 500;
    await deposit.pay({ payerMatch: 'unknown' });
    await eventually(() => deposit.inbox.attempts.length === 1, 'the first attempt');
    const event = deposit.database.events.findLast(({ objectId }) => objectId === deposit.id);
    const delivery = gateway.temporal.client.getHandle(event?.id ?? '');
    const isRunning = () => delivery.describe().then(({ status }) => status.name === 'RUNNING', isMissing);
    await eventually(isRunning, 'the delivery workflow');
    deposit.inbox.gate.close();
    await delivery.signal(redeliver);
    await eventually(() => deposit.inbox.attempts.length === 2, 'the first redelivery is under way');
    for (const _ of ['second', 'third']) await delivery.signal(redeliver);
    deposit.inbox.gate.open();
    await eventually(() => deposit.inbox.attempts.length === 4, 'both others follow');
    await gateway.sleep(2 * DAY_SECONDS);
    const { attempts } = deposit.inbox;
    assert.deepEqual(
      attempts.map(({ attempt }) => attempt),
      [1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
    const scheduled = attempts.slice(3);
    const pauses = scheduled
      .slice(1)
      .map(({ atMs }, index) => Math.floor((atMs - (scheduled[index]?.atMs ?? 0)) / 1000));
    assert.deepEqual(pauses, [10, 60, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400]);
  });
});
