// An operation moves to another slot in the middle of its payments: new ones use it at once, old ones end where they
// began.
import assert from 'node:assert/strict';
import pg from 'pg';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../../../lab/harness/payments.js';
import type { Stack } from '../../../../lab/harness/stack.js';
import type { OpenStack } from './open-stack.js';

export const movedOperationTests = (openStack: OpenStack) =>
  describe('an operation that moves to another slot', function () {
    this.timeout(120_000);
    let stack: Stack;
    let database: pg.Client;
    const player = { ...newPlayer(), name: 'Ana Souza', email: 'ana@player.test' };

    before(async () => {
      stack = await openStack();
      database = new pg.Client({ connectionString: stack.databaseUrl });
      await database.connect();
    });
    after(async () => {
      await database?.end();
      await stack?.close();
    });

    const deposit = async (amount: string) => {
      const { id } = (await stack.client.createDeposit({ ...newDeposit(amount, player), player }, once())).body;
      await stack.receiver.waitFor(id, 'deposit.pending');
      return id;
    };
    const withdrawal = async () => {
      const { id, status } = (await stack.client.createWithdrawal(newWithdrawal(player, '1000'), once())).body;
      if (status === 'under_review') await stack.client.sandbox.withdrawal(id, 'approve', once());
      await stack.receiver.waitFor(id, 'withdrawal.processing');
      return id;
    };
    const providerOf = async (id: string) => {
      const { rows } = await database.query<{ provider: string }>(
        'SELECT provider FROM deposit WHERE id = $1 UNION ALL SELECT provider FROM withdrawal WHERE id = $1',
        [id],
      );
      return rows[0]?.provider;
    };
    const move = (slot: string) =>
      stack.gateway('operation', 'set-provider', '--operation', stack.operation.operation_id, slot);

    it('new payments use it, old ones are paid, sent and returned where they began', async () => {
      const funded = await deposit('100000');
      await stack.client.sandbox.payDeposit(funded, once());
      await stack.receiver.waitFor(funded, 'deposit.paid');
      const [open, sent] = [await deposit('5000'), await withdrawal()];
      const money = (provider: string, account: string, amount: string) => ({
        ...{ provider, account },
        balance: { amount, currency: 'BRL' },
      });
      assert.deepEqual(await move('a'), {
        operation_id: stack.operation.operation_id,
        provider: 'a',
        money: [money('simulator', 'available', '99000'), money('simulator', 'pending_out', '1000')],
      });
      // What lies in the other account pays nothing here: it would be the money of other operations.
      await assert.rejects(withdrawal(), { status: 422, code: 'insufficient_operation_balance' });
      await stack.gateway(
        ...['cash', 'move', '--operation', stack.operation.operation_id, '--from', 'simulator', '--to', 'a', '99000'],
        ...['--document', 'slip 1', '--reason', 'the operation has moved'],
      );

      const requirements = (await stack.client.currencies()).body.data[0]?.method_details?.[0]?.deposit_requirements;
      assert.deepEqual(requirements, ['player.name', 'player.email']);
      const [newDepositId, newWithdrawalId] = [await deposit('6000'), await withdrawal()];
      assert.deepEqual(
        [
          await providerOf(open),
          await providerOf(sent),
          await providerOf(newDepositId),
          await providerOf(newWithdrawalId),
        ],
        ['simulator', 'simulator', 'a', 'a'],
      );
      for (const id of [open, newDepositId]) {
        await stack.client.sandbox.payDeposit(id, once());
        await stack.receiver.waitFor(id, 'deposit.paid');
      }
      for (const id of [sent, newWithdrawalId]) {
        await stack.client.sandbox.withdrawal(id, 'pay', once());
        await stack.receiver.waitFor(id, 'withdrawal.paid');
      }
      await stack.client.sandbox.chargebackDeposit(open, once());
      await stack.receiver.waitFor(open, 'deposit.chargeback');
      // It came out of the account where it was paid.
      const { rows } = await database.query(
        `SELECT provider, balance_minor::text AS balance FROM ledger_account
         WHERE account = 'available' AND operation_id = $1 ORDER BY 1`,
        [stack.operation.operation_id],
      );
      assert.deepEqual(rows, [
        { provider: 'a', balance: '104000' },
        { provider: 'simulator', balance: '0' },
      ]);
      const audited = await database.query(`SELECT FROM audit_entry WHERE action = 'provider.set'`);
      assert.equal(audited.rowCount, 1);
    });
  });
