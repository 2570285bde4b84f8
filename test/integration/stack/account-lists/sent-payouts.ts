// The sweep of sent payouts through the whole gateway: what left the account outside the gateway, or although the books
// say that it did not, is listed and alerted; what the books show is not. What came back reaches its withdrawal.
import assert from 'node:assert/strict';
import { NOTHING_FOUND } from '../../../../contract/temporal/scheduled-work.js';
import { payoutReferenceOf } from '../../../../domain/identifiers.js';
import { SENT_PARTS, type SentPart } from '../../../../domain/listed-payouts.js';
import { eventually } from '../../../../lab/harness/eventually.js';
import { newPlayer, newWithdrawal, once } from '../../../../lab/harness/payments.js';
import { control, sweep } from '../simulated-slot.js';
import type { Account } from './account.js';

interface Found {
  readonly end_to_end_id: string;
  readonly withdrawal_id: string | null;
  readonly amount: { readonly amount: string };
  readonly returns: string;
  readonly explained_at: string | null;
  readonly owner: string | null;
  readonly age_days: number | null;
}

/** The simulator's amount of a payout that is paid in the answer, and never called back about. */
const PAID_AT_ONCE = '66621';

/** The tests, for an account that no payout has left yet. */
export function sentPayouts(dialect: 'efi' | 'woovi', account: Account): void {
  describe('the sweep of sent payouts', () => {
    const { stack, database, client } = account;

    before(async () => {
      const words = ['--document', 'slip 1', '--reason', 'weekly funding', '--as', 'ana'];
      await stack().gateway('cash', 'fund', '--operation', stack().operation.operation_id, '1000000', ...words);
    });

    /** Of the last hours, as after an outage: nothing is left to callbacks. */
    const swept = async () => {
      await database().query("UPDATE account_sweep SET through = now() - interval '3 hours' WHERE part = 'payouts'");
      const result = await sweep(client(), 'payouts');
      assert.ok(result.kind === 'swept', JSON.stringify(result));
      return { read: result.read, unallocated: result.unallocated };
    };
    const agoIso = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    /** What is young is left to its callback; this reads it all the same: a sweep stands before it. */
    const sweepTillNow = async (part: SentPart, fromMs = Date.now() - 300_000) => {
      const toMs = Date.now() + 1_000;
      await database().query(
        `INSERT INTO account_sweep (provider, part, begun_at, reading_from, reading_to, cursor)
         VALUES ('simulator', $1, now(), $2, $3, $4) ON CONFLICT (provider, part) DO UPDATE
         SET reading_from = EXCLUDED.reading_from, reading_to = EXCLUDED.reading_to, cursor = EXCLUDED.cursor`,
        [part, new Date(fromMs), new Date(toMs), dialect === 'efi' ? '0' : `${fromMs}-${toMs}`],
      );
      return sweep(client(), part, NOTHING_FOUND);
    };
    const halfAnHourLater = () =>
      database().query("UPDATE unexplained_payout SET found_at = found_at - interval '31 minutes'");
    const listed = async (...options: string[]) =>
      ((await stack().gateway('payout', 'list', ...options)) as { payouts: Found[] }).payouts;
    const alerts = async (kind: string) =>
      (
        await database().query<{ object_id: string; occasion: string }>(
          'SELECT object_id, occasion FROM alert WHERE kind = $1 ORDER BY created_at',
          [kind],
        )
      ).rows;

    it('the first sweep begins now', async () => {
      assert.deepEqual(await sweep(client(), 'payouts').then(({ kind }) => kind), 'swept');
    });

    it('a payout of ours is in the books', async () => {
      const player = { ...newPlayer(), name: 'Ana Souza' };
      const { id } = (await stack().client.createWithdrawal(newWithdrawal(player, '3000'), once())).body;
      await stack().client.sandbox.withdrawal(id, 'approve', once());
      await stack().receiver.waitFor(id, 'withdrawal.processing');
      await stack().client.sandbox.withdrawal(id, 'pay', once());
      await stack().receiver.waitFor(id, 'withdrawal.paid');
      const result = await stack().gateway('provider', 'statement', 'simulator', '--from', agoIso(5));
      const { payouts } = result as { payouts: { amount: { amount: string }; settled: boolean }[] };
      assert.deepEqual(
        payouts.map(({ amount, settled }) => [amount.amount, settled]),
        [['3000', true]],
      );
      const swept = await sweepTillNow('payouts');
      assert.ok(swept.kind === 'swept');
      assert.deepEqual([swept.read, swept.unallocated], [1, 0]);
      assert.deepEqual(await listed(), []);
    });

    it('one that somebody sent in the bank’s panel is listed at once, and alerted after half an hour, once', async () => {
      const { end_to_end_id } = await control(stack(), '/payouts', { amount_minor: '700', sent_at: agoIso(60) });
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
      const raised = await alerts('PAYOUT_UNALLOCATED');
      assert.deepEqual(
        raised.map(({ object_id }) => object_id),
        ['simulator'],
      );
      await database().query("UPDATE alert SET assigned_to = 'ana' WHERE kind = 'PAYOUT_UNALLOCATED'");
      await database().query("UPDATE unexplained_payout SET sent_at = sent_at - interval '1 day'");
      assert.deepEqual(
        (await listed()).map(({ owner, age_days }) => [owner, age_days]),
        [['ana', 1]],
      );
    });

    it('a settlement to the operator with its id as document explains it', async () => {
      const [found] = await listed();
      const words = ['--document', String(found?.end_to_end_id), '--reason', 'weekly settlement', '--as', 'ana'];
      await stack().gateway('cash', 'settle', '--operation', stack().operation.operation_id, '700', ...words);
      await swept();
      assert.deepEqual(await listed(), []);
      assert.equal((await listed('--all')).length, 1);
    });

    /** No callback reports that it was paid, nor that it came back. */
    const paidWithoutCallbacks = async () => {
      const player = { ...newPlayer(), name: 'Ana Souza' };
      const { id, status } = (await stack().client.createWithdrawal(newWithdrawal(player, PAID_AT_ONCE), once())).body;
      if (status === 'under_review') await stack().client.sandbox.withdrawal(id, 'approve', once());
      await stack().receiver.waitFor(id, 'withdrawal.paid');
      return id;
    };
    const statusOf = async (id: string) => (await stack().client.getWithdrawal(id)).body.status;
    const comesBack = (id: string, amount_minor?: string) =>
      control(stack(), `/payouts/${payoutReferenceOf(id)}/settle`, { result: 'returned', amount_minor });
    const missed = async (part: SentPart, fromMs?: number) => {
      const result = await sweepTillNow(part, fromMs);
      assert.ok(result.kind === 'swept', JSON.stringify(result));
      return result.missed;
    };

    for (const part of SENT_PARTS)
      it(`one that came back, and no callback reported it: returned by one sweep (${part})`, async () => {
        const id = await paidWithoutCallbacks();
        assert.equal(await missed(part), 0);
        await comesBack(id);
        assert.equal(await statusOf(id), 'paid');
        assert.equal(await missed(part), 1);
        await stack().receiver.waitFor(id, 'withdrawal.returned');
        assert.equal(await missed(part), 0);
        assert.deepEqual(await listed(), []);
      });

    it('a part that came back raises one alert, and the rest another', async () => {
      const id = await paidWithoutCallbacks();
      await comesBack(id, '1000');
      assert.equal(await missed('payout_returns'), 1);
      await eventually(async () => (await alerts('PARTIAL_PAYOUT_RETURN')).length === 1, 'the alert');
      assert.equal(await missed('payout_returns'), 0);
      assert.equal(await statusOf(id), 'paid');
      await comesBack(id);
      assert.equal(await missed('payout_returns'), 1);
      await stack().receiver.waitFor(id, 'withdrawal.returned');
      const kept = (await listed('--all')).find(({ withdrawal_id }) => withdrawal_id === id);
      assert.ok(kept !== undefined && kept.explained_at !== null);
      if (dialect === 'efi') assert.match(kept.returns, /^D\w{31} DEVOLVIDO, D\w{31} DEVOLVIDO$/);
      else assert.equal(kept.returns, 'REFUNDED');
    });

    if (dialect === 'woovi')
      it('a return alone in the list asks the paid withdrawals of its amount', async () => {
        const [returned, other] = [await paidWithoutCallbacks(), await paidWithoutCallbacks()];
        const sinceMs = Date.now();
        await comesBack(returned);
        assert.equal(await missed('payouts', sinceMs), 0);
        await stack().receiver.waitFor(returned, 'withdrawal.returned');
        assert.equal(await statusOf(other), 'paid');
      });

    if (dialect === 'efi')
      it('one of ours that the books say never left contradicts the withdrawal', async () => {
        const player = { ...newPlayer(), name: 'Ana Souza' };
        const order = { ...newWithdrawal(player, '3100'), review_requested: true };
        const { id } = (await stack().client.createWithdrawal(order, once())).body;
        await stack().client.cancelWithdrawal(id, once());
        const reference = payoutReferenceOf(id);
        await control(stack(), '/payouts', { amount_minor: '3100', reference, sent_at: agoIso(60) });
        assert.equal((await swept()).unallocated, 1);
        await halfAnHourLater();
        await swept();
        await eventually(async () => (await alerts('PAYOUT_CONTRADICTION')).length === 1, 'the alert');
        assert.deepEqual(await alerts('PAYOUT_CONTRADICTION'), [{ object_id: id, occasion: reference }]);
        assert.deepEqual(
          (await listed()).map(({ withdrawal_id }) => withdrawal_id),
          [id],
        );
        assert.equal((await stack().client.getWithdrawal(id)).body.status, 'cancelled');
      });
  });
}
