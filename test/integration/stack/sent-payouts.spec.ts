// The sweep of sent payouts through the whole gateway: what left the account outside the gateway, or although the books
// say that it did not, is listed and alerted; what the books show is not.
import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { NOTHING_FOUND } from '../../../contract/temporal/account-sweep.js';
import { payoutReferenceOf } from '../../../domain/identifiers.js';
import { eventually } from '../../../tools/harness/eventually.js';
import { newPlayer, newWithdrawal, once } from '../../../tools/harness/payments.js';
import { type Stack, startStack } from '../../../tools/harness/stack.js';
import { control, dialectSettings, sweep } from './simulated-slot.js';

interface Found {
  readonly end_to_end_id: string;
  readonly withdrawal_id: string | null;
  readonly amount: { readonly amount: string };
}

for (const dialect of ['efi', 'woovi'] as const)
  describe(`the sweep of sent payouts: ${dialect}`, function () {
    this.timeout(120_000);
    let stack: Stack;
    let database: pg.Client;
    let client: Client;

    before(async () => {
      stack = await startStack(undefined, undefined, dialectSettings(dialect));
      database = new pg.Client({ connectionString: stack.databaseUrl });
      await database.connect();
      const connection = await Connection.connect({ address: stack.temporal.address });
      client = new Client({ connection, namespace: stack.temporal.namespace });
      const words = ['--document', 'slip 1', '--reason', 'weekly funding', '--as', 'ana'];
      await stack.gateway('cash', 'fund', '--operation', stack.operation.operation_id, '100000', ...words);
    });
    after(async () => {
      await client?.connection.close();
      await database?.end();
      await stack?.close();
    });

    /** Of the last hours, as after an outage: nothing is left to callbacks. */
    const swept = async () => {
      await database.query("UPDATE account_sweep SET through = now() - interval '3 hours' WHERE part = 'payouts'");
      const result = await sweep(client, 'payouts');
      assert.ok(result.kind === 'swept', JSON.stringify(result));
      return { read: result.read, unallocated: result.unallocated };
    };
    const agoIso = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    /** What is young is left to its callback; this reads it all the same. */
    const tillNow = () => {
      const [fromMs, toMs] = [Date.now() - 300_000, Date.now() + 1_000];
      const span = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
      return { span, cursor: dialect === 'efi' ? '0' : `${fromMs}-${toMs}`, found: NOTHING_FOUND };
    };
    const halfAnHourLater = () => database.query("UPDATE found_payout SET found_at = found_at - interval '31 minutes'");
    const listed = async (...options: string[]) =>
      ((await stack.gateway('payout', 'list', ...options)) as { payouts: Found[] }).payouts;
    const alerts = async (kind: string) =>
      (
        await database.query<{ object_id: string; occasion: string }>(
          'SELECT object_id, occasion FROM alert WHERE kind = $1 ORDER BY created_at',
          [kind],
        )
      ).rows;

    it('the first sweep begins now', async () => {
      assert.deepEqual(await sweep(client, 'payouts').then(({ kind }) => kind), 'swept');
    });

    it('a payout of ours is in the books', async () => {
      const player = { ...newPlayer(), name: 'Ana Souza' };
      const { id } = (await stack.client.createWithdrawal(newWithdrawal(player, '3000'), once())).body;
      await stack.client.sandbox.withdrawal(id, 'approve', once());
      await stack.receiver.waitFor(id, 'withdrawal.processing');
      await stack.client.sandbox.withdrawal(id, 'pay', once());
      await stack.receiver.waitFor(id, 'withdrawal.paid');
      const result = await stack.gateway('provider', 'statement', 'simulator', '--from', agoIso(5));
      const { payouts } = result as { payouts: { amount: { amount: string }; settled: boolean }[] };
      assert.deepEqual(
        payouts.map(({ amount, settled }) => [amount.amount, settled]),
        [['3000', true]],
      );
      const swept = await sweep(client, 'payouts', tillNow());
      assert.ok(swept.kind === 'swept');
      assert.deepEqual([swept.read, swept.unallocated], [1, 0]);
      assert.deepEqual(await listed(), []);
    });

    it('one that somebody sent in the bank’s panel is listed at once, and alerted after half an hour, once', async () => {
      const { end_to_end_id } = await control(stack, '/payouts', { amount_minor: '700', sent_at: agoIso(60) });
      assert.deepEqual(await swept(), { read: 1, unallocated: 1 });
      assert.deepEqual(await swept(), { read: 1, unallocated: 0 });
      const [found, ...others] = await listed();
      assert.deepEqual(
        [found?.end_to_end_id, found?.withdrawal_id, found?.amount.amount],
        [end_to_end_id, null, '700'],
      );
      assert.deepEqual(others, []);
      assert.deepEqual(await alerts('PAYOUT_UNALLOCATED'), []);
      await halfAnHourLater();
      await swept();
      await swept();
      const told = await alerts('PAYOUT_UNALLOCATED');
      assert.deepEqual(
        told.map(({ object_id }) => object_id),
        ['simulator'],
      );
    });

    it('a settlement to the operator with its id as document explains it', async () => {
      const [found] = await listed();
      const words = ['--document', String(found?.end_to_end_id), '--reason', 'weekly settlement', '--as', 'ana'];
      await stack.gateway('cash', 'settle', '--operation', stack.operation.operation_id, '700', ...words);
      await swept();
      assert.deepEqual(await listed(), []);
      assert.equal((await listed('--all')).length, 1);
    });

    if (dialect === 'efi')
      it('one of ours that the books say never left contradicts the withdrawal', async () => {
        const player = { ...newPlayer(), name: 'Ana Souza' };
        const order = { ...newWithdrawal(player, '3100'), review_requested: true };
        const { id } = (await stack.client.createWithdrawal(order, once())).body;
        await stack.client.cancelWithdrawal(id, once());
        const reference = payoutReferenceOf(id);
        await control(stack, '/payouts', { amount_minor: '3100', reference, sent_at: agoIso(60) });
        assert.equal((await swept()).unallocated, 1);
        await halfAnHourLater();
        await swept();
        await eventually(async () => (await alerts('PAYOUT_CONTRADICTION')).length === 1, 'the alert');
        assert.deepEqual(await alerts('PAYOUT_CONTRADICTION'), [{ object_id: id, occasion: reference }]);
        assert.deepEqual(
          (await listed()).map(({ withdrawal_id }) => withdrawal_id),
          [id],
        );
        assert.equal((await stack.client.getWithdrawal(id)).body.status, 'cancelled');
      });
  });
