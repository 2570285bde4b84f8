// What a payment costs in history events: the throughput of the whole service hangs on it. Numbers may only fall.
import assert from 'node:assert/strict';
import type { DepositCase } from './harness/deposit-case.js';
import { eventually, useGateway } from './harness/gateway.js';
import type { WithdrawalCase } from './harness/withdrawal-case.js';

const MOST_EVENTS_OF_A_DEPOSIT = 56;
const MOST_EVENTS_OF_A_WITHDRAWAL = 62;

describe('history cost', () => {
  const gateway = useGateway();

  async function countEvents(one: DepositCase | WithdrawalCase): Promise<number> {
    await eventually(async () => (await one.handle.describe()).status.name === 'COMPLETED', 'the workflow ended');
    const { events } = await one.handle.fetchHistory();
    return events?.length ?? 0;
  }

  it('deposit: created → pending → paid with two deliveries', async () => {
    const deposit = await gateway.pendingDeposit();
    await eventually(() => deposit.inbox.attempts.length === 1, 'the first delivery');
    await deposit.payAtProvider();
    await deposit.notice();
    await eventually(() => deposit.inbox.attempts.length === 2, 'the second delivery');
    const count = await countEvents(deposit);
    console.log(`      ${count} history events`);
    assert.ok(count <= MOST_EVENTS_OF_A_DEPOSIT, `${count} events`);
  });

  it('withdrawal: approved → processing → paid with three deliveries', async () => {
    const withdrawal = gateway.newWithdrawal();
    await withdrawal.create();
    await eventually(() => withdrawal.inbox.attempts.length === 2, 'the first deliveries');
    withdrawal.payout.settle(await gateway.now());
    await withdrawal.notice();
    await eventually(() => withdrawal.inbox.attempts.length === 3, 'the last delivery');
    const count = await countEvents(withdrawal);
    console.log(`      ${count} history events`);
    assert.ok(count <= MOST_EVENTS_OF_A_WITHDRAWAL, `${count} events`);
  });
});
