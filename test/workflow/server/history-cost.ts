// What a payment costs in history events: the throughput of the whole service hangs on it. Numbers may only fall.
import assert from 'node:assert/strict';
import type { DepositCase } from '../harness/deposit-case.js';
import { eventually } from '../../../lab/harness/eventually.js';
import type { Gateway } from '../harness/gateway.js';
import type { WithdrawalCase } from '../harness/withdrawal-case.js';

/**
 * `own`: all but the events of workflow tasks, the same on every machine. `all`: with them; a busy machine needs more
 * tasks, because its own look-up is due before the callback comes, or what usually comes together comes apart.
 */
const EVENTS_OF_A_DEPOSIT = { own: 8, all: 20 };
const EVENTS_OF_A_WITHDRAWAL = { own: 13, all: 31 };
const LIVES = 5;

type HistoryEvent = NonNullable<Awaited<ReturnType<DepositCase['handle']['fetchHistory']>>['events']>[number];

function isOwn(event: HistoryEvent): boolean {
  const of = Object.entries(event).find(([name, value]) => name.endsWith('EventAttributes') && value != null);
  return of?.[0].startsWith('workflowTask') === false;
}

export function historyCostTests(gateway: Gateway): void {
  describe('history cost', () => {
    async function costOf(one: DepositCase | WithdrawalCase): Promise<{ own: number; all: number }> {
      await one.untilEnded();
      const events = (await one.handle.fetchHistory()).events ?? [];
      return { own: events.filter(isOwn).length, all: events.length };
    }

    /** The cheapest of several lives is judged. */
    async function expectEvents(
      most: typeof EVENTS_OF_A_DEPOSIT,
      live: () => Promise<DepositCase | WithdrawalCase>,
    ): Promise<void> {
      const lives: { own: number; all: number }[] = [];
      while (lives.length < LIVES) lives.push(await costOf(await live()));
      const costs = { own: Math.min(...lives.map(({ own }) => own)), all: Math.min(...lives.map(({ all }) => all)) };
      console.log(`      ${costs.own} history events, ${costs.all} with those of tasks`);
      assert.ok(costs.own <= most.own && costs.all <= most.all, JSON.stringify(lives));
    }

    it('deposit: created → pending → paid with two deliveries', async () => {
      await expectEvents(EVENTS_OF_A_DEPOSIT, async () => {
        const deposit = await gateway.pendingDeposit();
        await eventually(() => deposit.inbox.attempts.length === 1, 'the first delivery');
        await deposit.payAtProvider();
        await deposit.notice();
        await eventually(() => deposit.inbox.attempts.length === 2, 'the second delivery');
        return deposit;
      });
    });

    it('withdrawal: approved → processing → paid with three deliveries', async () => {
      await expectEvents(EVENTS_OF_A_WITHDRAWAL, async () => {
        const withdrawal = gateway.newWithdrawal();
        await withdrawal.create();
        await withdrawal.untilStatus('processing');
        await eventually(() => withdrawal.inbox.attempts.length === 2, 'the first deliveries');
        withdrawal.payout.settle(await gateway.now());
        await withdrawal.notice();
        await eventually(() => withdrawal.inbox.attempts.length === 3, 'the last delivery');
        return withdrawal;
      });
    });

    it('withdrawal: an hour of errors after an unknown send costs a bounded number of history events', async () => {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.payout.sendAnswers.push('times_out_lost');
      withdrawal.payout.isSilent = true;
      await withdrawal.create();
      await eventually(() => withdrawal.payout.sendsThatLeft === 1, 'it was sent');
      await gateway.sleep(3_600);
      const { events } = await withdrawal.handle.fetchHistory();
      assert.ok(withdrawal.payout.lookups > 100, `${withdrawal.payout.lookups} tries`);
      console.log(`      ${events?.length} history events, ${withdrawal.payout.lookups} tries`);
      assert.ok((events?.length ?? 0) <= 40, `${events?.length} events`);
    });
  });
}
