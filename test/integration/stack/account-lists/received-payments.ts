// The sweep of received PIX through the whole gateway: payments and returns whose callbacks were lost reach their
// deposits, and money of no deposit is reported.
import assert from 'node:assert/strict';
import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import type pg from 'pg';
import { accountSweepSchedule } from '../../../../contract/temporal/scheduled-work.js';
import { chargeReferenceOf } from '../../../../domain/identifiers.js';
import type { ReceivedPart } from '../../../../domain/receipts.js';
import { eventually } from '../../../../lab/harness/eventually.js';
import type { Stack } from '../../../../lab/harness/stack.js';
import type { DialectName } from '../../../../providers/settings.js';
import type { Account } from './account.js';
import { control, pendingDeposit, sweep } from '../simulated-slot.js';

/** The simulator's amount whose callback is lost. */
const CALLBACK_LOST = '66607';

const isNotMadeYet = (error: unknown) => {
  if (error instanceof ScheduleNotFoundError) return false;
  throw error;
};

/** The tests, for an account that received nothing yet. They sweep themselves: the schedule is paused. */
export function receivedPayments(dialect: DialectName, account: Account): void {
  describe('received PIX', () => {
    let stack: Stack;
    let database: pg.Client;
    let client: Client;

    before(async () => {
      [stack, database, client] = [account.stack(), account.database(), account.client()];
      // A sweep of the schedule would find first what the tests look for.
      await eventually(async () => {
        const schedule = client.schedule.getHandle(accountSweepSchedule('simulator', 'payments'));
        // A worker that has just started makes it.
        return schedule.pause('in a test').then(() => true, isNotMadeYet);
      }, 'the schedule');
    });

    const found = async (part: ReceivedPart = 'payments') => {
      const result = await sweep(client, part);
      assert.ok(result.kind === 'swept', JSON.stringify(result));
      return { missed: result.missed, unallocated: result.unallocated, unreadable: result.unreadable };
    };
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const payAt = (id: string, minutes: number) =>
      control(stack, `/charges/${chargeReferenceOf(id)}/pay`, { paid_at: minutesAgo(minutes) });
    const statusOf = async (id: string) => (await stack.client.getDeposit(id)).body.status;
    const ownersAndAges = (rows: Record<string, unknown>[]) => rows.map(({ owner, age_days }) => [owner, age_days]);
    const alerts = async (kind: string) =>
      (await database.query<{ object_id: string }>('SELECT object_id FROM alert WHERE kind = $1', [kind])).rows;

    it('a payment whose callback was lost is settled by the sweep, and notified once', async () => {
      const id = await pendingDeposit(stack, CALLBACK_LOST);
      await payAt(id, 3);
      assert.equal(await statusOf(id), 'pending');
      assert.deepEqual(await found(), { missed: 1, unallocated: 0, unreadable: 0 });
      await eventually(async () => (await statusOf(id)) !== 'pending', 'the payment');
      assert.deepEqual(await found(), { missed: 0, unallocated: 0, unreadable: 0 });
      const { rows } = await database.query('SELECT settled_at FROM unexplained_receipt WHERE deposit_id = $1', [id]);
      assert.ok((rows as { settled_at: Date | null }[])[0]?.settled_at instanceof Date);
    });

    it('what is younger than two minutes is left to its callback', async () => {
      const id = await pendingDeposit(stack, CALLBACK_LOST);
      await payAt(id, 1);
      assert.equal((await found()).missed, 0);
      assert.equal(await statusOf(id), 'pending');
    });

    it('money of no deposit is kept and reported once; the command lists it', async () => {
      const stray = await control(stack, '/received', { amount_minor: '12345', paid_at: minutesAgo(3) });
      assert.deepEqual(await found(), { missed: 0, unallocated: 1, unreadable: 0 });
      assert.deepEqual(await found(), { missed: 0, unallocated: 0, unreadable: 0 });
      assert.deepEqual(await alerts('RECEIPT_UNALLOCATED'), [{ object_id: 'simulator' }]);
      const { receipts } = (await stack.gateway('receipt', 'list')) as { receipts: Record<string, unknown>[] };
      assert.deepEqual(
        receipts.map(({ end_to_end_id, amount, deposit_id }) => [end_to_end_id, amount, deposit_id]),
        [[stray.end_to_end_id, { amount: '12345', currency: 'BRL' }, null]],
      );
      assert.deepEqual(ownersAndAges(receipts), [[null, 0]]);
    });

    it('money of no deposit has an owner, who took its alert, and an age', async () => {
      await database.query("UPDATE alert SET assigned_to = 'ana' WHERE kind = 'RECEIPT_UNALLOCATED'");
      await database.query(
        "UPDATE unexplained_receipt SET received_at = now() - interval '49 hours' WHERE deposit_id IS NULL",
      );
      const { receipts } = (await stack.gateway('receipt', 'list')) as { receipts: Record<string, unknown>[] };
      assert.deepEqual(ownersAndAges(receipts), [['ana', 2]]);
    });

    if (dialect === 'api-pix')
      it('a payer’s own text stops no sweep', async () => {
        const txid = 'a\u0000b\u001b[31m<i>';
        await control(stack, '/received', { amount_minor: '777', paid_at: minutesAgo(3), txid });
        assert.equal((await found()).unallocated, 1);
        const { rows } = await database.query('SELECT reference FROM unexplained_receipt WHERE amount_minor = 777');
        assert.deepEqual(rows, [{ reference: 'a?b??31m?i?' }]);
      });

    it('a payment that its deposit does not show after half an hour is an alert', async () => {
      const id = await pendingDeposit(stack, CALLBACK_LOST);
      const { end_to_end_id } = await payAt(id, 3);
      await database.query(
        `INSERT INTO unexplained_receipt (provider, end_to_end_id, deposit_id, amount_minor, received_at, returns, found_at)
         VALUES ('simulator', $1, $2, 66607, now(), '', now() - interval '31 minutes')`,
        [end_to_end_id, id],
      );
      assert.equal((await found()).missed, 0);
      assert.deepEqual(await alerts('RECEIPT_UNSETTLED'), [{ object_id: id }]);
    });

    it('a return whose callback was lost reaches its deposit, however old the payment is', async () => {
      const id = await pendingDeposit(stack, CALLBACK_LOST);
      await payAt(id, 3);
      await found();
      await eventually(async () => (await statusOf(id)) !== 'pending', 'the payment');
      const before = await statusOf(id);
      assert.equal((await found('returns')).missed, 0);
      await control(stack, `/charges/${chargeReferenceOf(id)}/reverse`, { kind: 'chargeback' });
      assert.equal(await statusOf(id), before);
      assert.equal((await found('returns')).missed, 1);
      await eventually(async () => (await statusOf(id)) !== before, 'the return');
      assert.equal((await found('returns')).missed, 0);
    });
  });
}
