// A short cash box on the whole stack: the approved withdrawal waits with an alert that says what to do; it is done,
// and the withdrawal goes.
import assert from 'node:assert/strict';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../../../lab/harness/payments.js';
import type { Stack } from '../../../../lab/harness/stack.js';
import { openAlertsOf } from '../../../support/open-alerts.js';
import type { OpenStack } from './open-stack.js';
import { eventually } from '../../../../lab/harness/eventually.js';

export const cashBoxTests = (openStack: OpenStack) =>
  describe('a short cash box', function () {
    this.timeout(120_000);
    let stack: Stack;
    before(async () => {
      stack = await openStack();
    });
    after(() => stack?.close());

    const signalsOf = async (id: string) => {
      const { events } = await stack.temporal.client.workflow.getHandle(id).fetchHistory();
      return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName ?? []);
    };
    const available = async () => (await stack.client.balances()).body.data[0]?.available;

    it('funding it with the command lets the withdrawal go, and the books hold', async () => {
      const player = newPlayer();
      const deposit = (await stack.client.createDeposit(newDeposit('10000', player), once())).body;
      await stack.receiver.waitFor(deposit.id, 'deposit.pending');
      await stack.client.sandbox.payDeposit(deposit.id, once());
      await stack.receiver.waitFor(deposit.id, 'deposit.paid');
      const withdrawal = (await stack.client.createWithdrawal(newWithdrawal(player, '10000'), once())).body;
      assert.equal(withdrawal.status, 'under_review');
      await stack.client.sandbox.chargebackDeposit(deposit.id, once());
      await stack.receiver.waitFor(deposit.id, 'deposit.chargeback');
      await stack.client.sandbox.withdrawal(withdrawal.id, 'approve', once());
      await eventually(
        async () => (await openAlertsOf(stack, withdrawal.id)).includes('CASH_BOX_SHORT'),
        'the alert says that the cash box is short',
      );
      assert.equal((await stack.client.getWithdrawal(withdrawal.id)).body.status, 'approved');

      const id = stack.operation.operation_id;
      const words = ['--document', 'slip 7', '--reason', 'after a chargeback'];
      // Told that its wait has ended, it does not wait for its next check: funded, it meets the next hindrance at once.
      await stack.gateway('operation', 'suspend', id);
      await stack.gateway('cash', 'fund', '--operation', id, '10000', ...words);
      await eventually(
        async () => (await openAlertsOf(stack, withdrawal.id)).includes('OPERATION_SUSPENDED'),
        'the alert says that the operation is suspended',
        8_000,
      );
      await stack.gateway('operation', 'resume', id);
      await stack.receiver.waitFor(withdrawal.id, 'withdrawal.processing', 8_000);
      assert.deepEqual(await signalsOf(withdrawal.id), ['checkAgain', 'checkAgain']);
      await stack.client.sandbox.withdrawal(withdrawal.id, 'pay', once());
      await stack.receiver.waitFor(withdrawal.id, 'withdrawal.paid');
      assert.deepEqual(await openAlertsOf(stack, withdrawal.id), []);

      await stack.gateway('cash', 'fund', '--operation', id, '3000', ...words);
      await stack.gateway('cash', 'settle', '--operation', id, '1000', ...words);
      assert.deepEqual(await available(), { amount: '2000', currency: 'BRL' });
      await assert.rejects(
        stack.gateway('cash', 'settle', '--operation', id, '2001', ...words),
        /the cash box does not cover it: it has R\$ 20,00/,
      );
      assert.equal((await stack.gateway('ledger', 'verify'))['ok'], true);
    });
  });
