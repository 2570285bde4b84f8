// A provider is paused in the middle of payments: nothing new goes there, what began continues, and what waited leaves
// as soon as it is resumed.
import assert from 'node:assert/strict';
import { eventually } from '../../../../lab/harness/eventually.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../../../lab/harness/payments.js';
import type { Stack } from '../../../../lab/harness/stack.js';
import { openAlertsOf } from '../../../support/open-alerts.js';
import type { OpenStack } from './open-stack.js';

export const pausedProviderTests = (openStack: OpenStack) =>
  describe('a paused provider', function () {
    this.timeout(120_000);
    let stack: Stack;
    const player = newPlayer();
    before(async () => {
      stack = await openStack();
    });
    after(() => stack.close());

    const deposit = async (amount: string) => {
      const { id } = (await stack.client.createDeposit(newDeposit(amount, player), once())).body;
      await stack.receiver.waitFor(id, 'deposit.pending');
      return id;
    };
    const paid = async (id: string) => {
      await stack.client.sandbox.payDeposit(id, once());
      await stack.receiver.waitFor(id, 'deposit.paid');
    };
    const withdrawal = async () => (await stack.client.createWithdrawal(newWithdrawal(player, '1000'), once())).body;
    const approve = (id: string) => stack.client.sandbox.withdrawal(id, 'approve', once());
    const isAlerted = async (id: string) => (await openAlertsOf(stack, id)).includes('PROVIDER_PAUSED');

    it('what began continues, nothing new is charged or sent, and resuming sends what waited, once', async () => {
      await paid(await deposit('100000'));
      const open = await deposit('5000');
      const sent = await withdrawal();
      if (sent.status === 'under_review') await approve(sent.id);
      await stack.receiver.waitFor(sent.id, 'withdrawal.processing');

      await stack.gateway('provider', 'pause', 'simulator', '--reason', 'an incident');

      const body = newDeposit('7000', player);
      const key = once();
      await assert.rejects(stack.client.createDeposit(body, key), { status: 503, code: 'service_unavailable' });
      assert.equal((await stack.client.listDeposits({ external_id: body.external_id })).body.data.length, 0);
      await paid(open);
      await stack.client.sandbox.withdrawal(sent.id, 'pay', once());
      await stack.receiver.waitFor(sent.id, 'withdrawal.paid');
      const waiting = await withdrawal();
      if (waiting.status === 'under_review') await approve(waiting.id);
      await eventually(() => isAlerted(waiting.id), 'the alert says that the provider is paused');
      assert.equal((await stack.client.getWithdrawal(waiting.id)).body.status, 'approved');

      await stack.gateway('provider', 'resume', 'simulator');

      await stack.receiver.waitFor(waiting.id, 'withdrawal.processing', 8_000);
      await stack.client.sandbox.withdrawal(waiting.id, 'pay', once());
      await stack.receiver.waitFor(waiting.id, 'withdrawal.paid');
      assert.equal(await isAlerted(waiting.id), false);
      const reference = waiting.id.replace(/^wdr_/, '');
      const books = (await (await fetch(`${stack.simulatorUrl}/control/books?reference=${reference}`)).json()) as {
        payouts: { sends: number }[];
      };
      assert.equal(books.payouts[0]?.sends, 1);
      // The refused creation is repeated as it was.
      assert.equal((await stack.client.createDeposit(body, key)).body.status, 'pending');
    });
  });
