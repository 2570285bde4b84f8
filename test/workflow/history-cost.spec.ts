// What a payment costs in history events: the throughput of the whole service hangs on it. Numbers may only fall.
import assert from 'node:assert/strict';
import type { DepositCase } from './harness/deposit-case.js';
import { eventually } from '../../tools/harness/eventually.js';
import { useGateway } from './harness/gateway.js';
import type { WithdrawalCase } from './harness/withdrawal-case.js';

const MOST_EVENTS_OF_A_DEPOSIT = 24;
const MOST_EVENTS_OF_A_WITHDRAWAL = 38;

describe('history cost', () => {
  const gateway = useGateway();

  interface Cost {
    readonly events: number;
    readonly timersFired: number;
  }

  async function costOf(one: DepositCase | WithdrawalCase): Promise<Cost> {
    await eventually(async () => (await one.handle.describe()).status.name === 'COMPLETED', 'the workflow ended');
    const { events = [] } = await one.handle.fetchHistory();
    return {
      events: events?.length ?? 0,
      timersFired: events?.filter(({ timerFiredEventAttributes }) => timerFiredEventAttributes).length ?? 0,
    };
  }

  /**
   * On a busy machine a payment's own look-up can be due before its callback comes: that is another life, with more
   * events.
   */
  async function costWithoutTimers(live: () => Promise<DepositCase | WithdrawalCase>): Promise<number> {
    for (let tries = 1; ; tries += 1) {
      const { events, timersFired } = await costOf(await live());
      if (timersFired === 0 || tries === 5) {
        console.log(`      ${events} history events`);
        return events;
      }
    }
  }

  it('deposit: created → pending → paid with two deliveries', async () => {
    const count = await costWithoutTimers(async () => {
      const deposit = await gateway.pendingDeposit();
      await eventually(() => deposit.inbox.attempts.length === 1, 'the first delivery');
      await deposit.payAtProvider();
      await deposit.notice();
      await eventually(() => deposit.inbox.attempts.length === 2, 'the second delivery');
      return deposit;
    });
    assert.ok(count <= MOST_EVENTS_OF_A_DEPOSIT, `${count} events`);
  });

  it('withdrawal: approved → processing → paid with three deliveries', async () => {
    const count = await costWithoutTimers(async () => {
      const withdrawal = gateway.newWithdrawal();
      await withdrawal.create();
      await eventually(() => withdrawal.inbox.attempts.length === 2, 'the first deliveries');
      withdrawal.payout.settle(await gateway.now());
      await withdrawal.notice();
      await eventually(() => withdrawal.inbox.attempts.length === 3, 'the last delivery');
      return withdrawal;
    });
    assert.ok(count <= MOST_EVENTS_OF_A_WITHDRAWAL, `${count} events`);
  });
});
