// Somebody asks Temporal to cancel a workflow of a payment or a rule change: nothing comes of it, and it continues.
import assert from 'node:assert/strict';
import { eventually } from '../../../lab/harness/eventually.js';
import type { Gateway } from '../harness/gateway.js';
import { proposeRuleChange } from '../harness/rule-change-case.js';

export function cancelRequestTests(gateway: Gateway): void {
  describe('a cancellation asked of Temporal', () => {
    it('a deposit that waits for its payment is paid', async () => {
      const deposit = await gateway.pendingDeposit();
      await deposit.handle.cancel();
      await deposit.payAtProvider();
      await deposit.notice();
      await eventually(
        () => deposit.row.status === 'paid' && deposit.inbox.attempts.length === 2,
        'paid, and delivered',
      );
      await eventually(
        async () => (await deposit.handle.describe()).status.name === 'COMPLETED',
        'the workflow ends as usual',
      );
    });

    it('a deposit that is being decided is decided', async () => {
      const deposit = gateway.newDeposit();
      let asked = 0;
      deposit.ruling.afterVerdict = () => {
        asked += 1;
        void deposit.handle.cancel();
      };
      assert.equal((await deposit.create()).kind, 'created');
      assert.ok(asked > 0);
      await deposit.untilStatus('pending');
    });

    it('a withdrawal that waits for people is approved and sent', async () => {
      const withdrawal = gateway.newWithdrawal({ reviewRequested: true });
      await withdrawal.create();
      await withdrawal.handle.cancel();
      assert.ok((await withdrawal.review('approve')) !== 'closed');
      await withdrawal.untilStatus('processing');
      assert.equal(withdrawal.payout.sendGate.arrived, 1);
    });

    it('a proposed change of rules is still decided by two people', async () => {
      const change = await proposeRuleChange(gateway);
      const { runId } = await change.handle.describe();
      await change.handle.cancel();
      for (const person of ['ana', 'ben']) assert.equal((await change.decide({ person })).kind, 'done');
      assert.equal(await change.handle.result(), 'approved');
      assert.equal((await change.handle.describe()).runId, runId, 'a decision would start a cancelled one again');
    });
  });
}
