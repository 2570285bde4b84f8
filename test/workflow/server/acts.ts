// What somebody asks of a payment is in its history before it is stored. Until then an update is only in Temporal's
// memory: a worker and a server lost at once would leave a withdrawal approved in Postgres, and a workflow that has
// never heard of it.
import assert from 'node:assert/strict';
import { historyText } from '../../support/history-text.js';
import type { DepositCase } from '../harness/deposit-case.js';
import type { Gateway } from '../harness/gateway.js';
import { proposeRuleChange } from '../harness/rule-change-case.js';
import type { WithdrawalCase } from '../harness/withdrawal-case.js';

export function actsTests(gateway: Gateway): void {
  describe('an act is in the history before it is stored', () => {
    async function heldDeposit(): Promise<DepositCase> {
      const deposit = await gateway.pendingDeposit();
      await deposit.payAtProvider({ payerMatch: 'unknown' });
      await deposit.notice();
      await deposit.untilStatus('under_review');
      return deposit;
    }

    async function reviewedWithdrawal(): Promise<WithdrawalCase> {
      const withdrawal = gateway.newWithdrawal({ reviewRequested: true });
      await withdrawal.create();
      return withdrawal;
    }

    const acts: readonly {
      title: string;
      arrange: () => Promise<DepositCase | WithdrawalCase>;
      act: (one: never) => Promise<unknown>;
      step: string;
    }[] = [
      {
        title: 'a deposit is cancelled',
        arrange: () => gateway.pendingDeposit(),
        act: (deposit: DepositCase) => deposit.cancel(),
        step: 'cancelDeposit',
      },
      {
        title: 'a held deposit is approved',
        arrange: heldDeposit,
        act: (deposit: DepositCase) => deposit.review('approve'),
        step: 'approveDeposit',
      },
      {
        title: 'a withdrawal is approved',
        arrange: reviewedWithdrawal,
        act: (withdrawal: WithdrawalCase) => withdrawal.review('approve'),
        step: 'approveWithdrawal',
      },
    ];

    for (const { title, arrange, act, step } of acts) {
      it(title, async () => {
        const one = await arrange();
        const before = (await eventsOf(one)).length;
        await act(one as never);
        const later = (await eventsOf(one)).slice(before);
        const accepted = later.findIndex((event) => event.workflowExecutionUpdateAcceptedEventAttributes);
        const stored = later.findIndex(
          (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === step,
        );
        assert.ok(accepted >= 0 && accepted < stored, `accepted at ${accepted}, stored from ${stored}`);
      });
    }

    it('the history of a rule change names nobody, and says no reason', async () => {
      const change = await proposeRuleChange(gateway);
      await change.decide({ person: 'maria', reason: 'quieter nights' });
      await change.recompute('cleo');
      await change.decide({ person: 'ben', decision: 'reject', reason: 'too high' });
      const history = await historyText(change.handle);
      assert.match(history, /"actId":"act_/);
      assert.doesNotMatch(history, /maria|cleo|"ben"|quieter|too high/);
    });
  });
}

async function eventsOf(one: DepositCase | WithdrawalCase) {
  return (await one.handle.fetchHistory()).events ?? [];
}
