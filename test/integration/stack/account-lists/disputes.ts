// Disputed payments (MED) through the whole gateway, at Efí and at Woovi: the case is listed with its deadline and
// alerted, no deposit changes by it alone, and its end ends the alerts.
import assert from 'node:assert/strict';
import { chargeReferenceOf } from '../../../../domain/identifiers.js';
import { eventually } from '../../../../lab/harness/eventually.js';
import { once } from '../../../../lab/harness/payments.js';
import { control, pendingDeposit, sweep } from '../simulated-slot.js';
import type { Account } from './account.js';

/** The simulator's amount of a charge whose callbacks are lost. */
const CALLBACK_LOST = '66607';

/** The tests, for an account that has no disputed payments yet. */
export function disputedPayments(dialect: 'efi' | 'woovi', account: Account): void {
  describe('disputed payments', () => {
    const { stack, database, client } = account;

    const swept = async () => {
      const result = await sweep(client(), 'disputes');
      assert.ok(result.kind === 'swept', JSON.stringify(result));
      const { read, missed, unallocated, unreadable } = result;
      return { read, missed, unallocated, unreadable };
    };
    const statusOf = async (id: string) => (await stack().client.getDeposit(id)).body.status;
    const paidDeposit = async () => {
      const id = await pendingDeposit(stack(), '5000');
      await stack().client.sandbox.payDeposit(id, once());
      await eventually(async () => (await statusOf(id)) === 'paid', 'the payment');
      return id;
    };
    const disputed = (id: string, status: string, due_at?: string) =>
      control(stack(), `/charges/${chargeReferenceOf(id)}/dispute`, { status, due_at });
    const alertsOf = async (id: string) =>
      (
        await database().query<{ alert: string }>(
          `SELECT kind || CASE WHEN resolved_at IS NULL THEN '' ELSE ' resolved' END AS alert FROM alert
           WHERE object_id = $1 AND kind LIKE 'DISPUTE%' ORDER BY kind`,
          [id],
        )
      ).rows.map(({ alert }) => alert);
    const listed = async (...options: string[]) =>
      ((await stack().gateway('dispute', 'list', ...options)) as { disputes: Record<string, unknown>[] }).disputes;

    it('an open case is listed with its deposit and deadline, alerted once, and changes nothing', async () => {
      const id = await paidDeposit();
      await disputed(id, 'open');
      assert.deepEqual(await swept(), { read: 1, missed: 1, unallocated: 0, unreadable: 0 });
      assert.deepEqual(await swept(), { read: 1, missed: 0, unallocated: 0, unreadable: 0 });
      assert.deepEqual(await alertsOf(id), ['DISPUTE_OPEN']);
      assert.equal(await statusOf(id), 'paid');
      const [found] = await listed();
      const { deposit_id, status, amount, reason } = found ?? {};
      assert.deepEqual([deposit_id, status, amount], [id, 'open', { amount: '5000', currency: 'BRL' }]);
      assert.equal(reason, dialect === 'efi' ? 'scam' : null);
      const dueInMs = Date.parse(String(found?.['due_at'])) - Date.now();
      if (dialect === 'efi') assert.ok(dueInMs > 6 * 86_400_000 && dueInMs < 7 * 86_400_000, String(dueInMs));
      else assert.equal(found?.['due_at'], null);
      await disputed(id, 'rejected');
      assert.equal((await swept()).missed, 1);
      assert.deepEqual(await alertsOf(id), ['DISPUTE_OPEN resolved']);
      assert.deepEqual(await listed(), []);
      assert.deepEqual(
        (await listed('--all')).map((one) => [one['deposit_id'], one['status']]),
        [[id, 'rejected']],
      );
      assert.equal(await statusOf(id), 'paid');
    });

    it('a case that is lost: the deposit follows the return, the list follows the case', async () => {
      const id = await paidDeposit();
      await disputed(id, 'open');
      await swept();
      await control(stack(), `/charges/${chargeReferenceOf(id)}/reverse`, { kind: 'chargeback' });
      await eventually(async () => (await statusOf(id)) === 'chargeback', 'the return');
      await swept();
      assert.deepEqual(await alertsOf(id), ['DISPUTE_OPEN resolved']);
      assert.ok((await listed('--all')).some((one) => one['deposit_id'] === id && one['status'] === 'accepted'));
    });

    it('a case that is lost, and no callback reported the return: the list of cases notifies the deposit', async () => {
      const id = await pendingDeposit(stack(), CALLBACK_LOST);
      const paid_at = new Date(Date.now() - 180_000).toISOString();
      await control(stack(), `/charges/${chargeReferenceOf(id)}/pay`, { paid_at });
      await sweep(client(), 'payments');
      await eventually(async () => (await statusOf(id)) === 'paid', 'the payment');
      await disputed(id, 'open');
      await swept();
      await control(stack(), `/charges/${chargeReferenceOf(id)}/reverse`, { kind: 'chargeback' });
      assert.equal(await statusOf(id), 'paid');
      assert.equal((await swept()).missed, 1);
      await stack().receiver.waitFor(id, 'deposit.chargeback');
      assert.equal((await swept()).missed, 0);
    });

    if (dialect === 'efi')
      it('two days before its deadline an open case is urgent, until it is answered', async () => {
        const id = await paidDeposit();
        const due = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
        await disputed(id, 'open', due(2.1));
        await swept();
        assert.deepEqual(await alertsOf(id), ['DISPUTE_OPEN']);
        await disputed(id, 'open', due(1.9));
        await swept();
        assert.deepEqual(await alertsOf(id), ['DISPUTE_DUE', 'DISPUTE_OPEN']);
        await disputed(id, 'defended');
        await swept();
        assert.deepEqual(await alertsOf(id), ['DISPUTE_DUE resolved', 'DISPUTE_OPEN resolved']);
      });

    it('a payment of no deposit here: alerted by its end-to-end id, until its deposit is known', async () => {
      const id = await paidDeposit();
      await disputed(id, 'open');
      const { rows } = await database().query<{ end_to_end_id: string }>(
        `UPDATE deposit SET end_to_end_id = 'E00000000202601011200aaaaaaaaaaa' FROM deposit AS paid
         WHERE deposit.id = $1 AND paid.id = deposit.id RETURNING paid.end_to_end_id`,
        [id],
      );
      assert.equal((await swept()).unallocated, 1);
      const payment = rows[0]!.end_to_end_id;
      assert.deepEqual(await alertsOf(payment), ['DISPUTE_OPEN']);
      await database().query('UPDATE deposit SET end_to_end_id = $2 WHERE id = $1', [id, payment]);
      await swept();
      assert.deepEqual(await alertsOf(payment), ['DISPUTE_OPEN resolved']);
      assert.deepEqual((await alertsOf(id)).at(-1), 'DISPUTE_OPEN');
      await disputed(id, 'rejected');
      await swept();
      assert.deepEqual(await alertsOf(id), ['DISPUTE_OPEN resolved']);
    });

    it('what is blocked in the account is alerted once, until nothing is', async () => {
      const block = async (blocked_minor: string) => {
        const answer = await fetch(`${stack().simulatorUrl}/control/simulator/balance`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ amount_minor: null, blocked_minor }),
        });
        assert.equal(answer.status, 204);
        await swept();
      };
      const alerts = async () => {
        const blocked = `SELECT object_id, detail, resolved_at IS NULL AS open FROM alert WHERE kind = 'FUNDS_BLOCKED'`;
        return (await database().query<{ object_id: string; detail: string; open: boolean }>(blocked)).rows;
      };
      await block('1234');
      await block('1300');
      assert.deepEqual(await alerts(), [
        { object_id: 'simulator', detail: 'provider simulator: R$ 12,34 cannot be used', open: true },
      ]);
      assert.deepEqual((await stack().gateway('provider', 'balance', 'simulator'))['blocked'], {
        amount: '1300',
        currency: 'BRL',
      });
      await block('0');
      assert.deepEqual(
        (await alerts()).map(({ open }) => open),
        [false],
      );
    });
  });
}
