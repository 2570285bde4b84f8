// Several who want something of one deposit at the same moment: one of them wins, and the money is somewhere exactly
// once. On the dev server: on the time-skipping one a workflow is stuck that cancels an activity at the moment it
// completes (https://github.com/temporalio/sdk-java/issues/2391).
import assert from 'node:assert/strict';
import type { DepositCase } from './harness/deposit-case.js';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';

const ACTIONS = {
  cancel: (deposit: DepositCase) => deposit.cancel(),
  pay: (deposit: DepositCase) => deposit.pay(),
  expire: (deposit: DepositCase) => deposit.expire(),
} as const;
type Action = keyof typeof ACTIONS;

const ORDERS: readonly (readonly Action[])[] = [
  ['cancel', 'pay', 'expire'],
  ['cancel', 'expire', 'pay'],
  ['pay', 'cancel', 'expire'],
  ['pay', 'expire', 'cancel'],
  ['expire', 'cancel', 'pay'],
  ['expire', 'pay', 'cancel'],
];

describe('deposit: races', () => {
  const gateway = useGateway();

  /** One terminal state, versions without gaps, and the payment in exactly one place. */
  async function expectOneEnd(deposit: DepositCase): Promise<void> {
    await deposit.refresh();
    const { status } = deposit.row;
    assert.ok(status === 'paid' || status === 'cancelled' || status === 'expired', status);
    const ledger =
      status === 'paid' ? { available: 5000, provider_clearing: -5000 } : { suspense: 5000, provider_clearing: -5000 };
    await deposit.expectOutcome({
      status,
      version: 3,
      events: ['deposit.pending@2', `deposit.${status}@3`],
      ledger,
      alerts: status === 'paid' ? [] : ['LATE_PAYMENT'],
    });
  }

  for (const order of ORDERS) {
    it(`pending → one end: ${order.join(', ')} at the same moment`, async () => {
      const deposit = await gateway.pendingDeposit();
      const answers = await Promise.all(order.map((action) => ACTIONS[action](deposit)));
      const winners = answers.filter((answer) => answer !== 'closed' && 'kind' in answer && answer.kind === 'done');
      assert.ok(winners.length <= 1, 'cancel and expiry cannot both have been done');
      await expectOneEnd(deposit);
    });

    it(`pending → one end: ${order.join(', then ')}`, async () => {
      const deposit = await gateway.pendingDeposit();
      // Each is applied before the next is sent: the first wins.
      for (const action of order) await ACTIONS[action](deposit);
      await expectOneEnd(deposit);
      assert.equal(deposit.row.status, { cancel: 'cancelled', pay: 'paid', expire: 'expired' }[order[0] ?? 'pay']);
    });
  }

  for (const action of ['cancel', 'expire'] as const) {
    it(`pending → ${action}: while the provider is asked about a payment; the payment is then late`, async () => {
      const deposit = await gateway.pendingDeposit();
      deposit.charge.lookupGate.close();
      const paid = deposit.pay();
      await eventually(() => deposit.charge.lookupGate.queue > 0, 'the provider is asked');
      await ACTIONS[action](deposit);
      deposit.charge.lookupGate.open();
      await paid;
      await expectOneEnd(deposit);
      assert.notEqual(deposit.row.status, 'paid');
    });
  }

  it('under_review → one end: two people decide differently at the same moment', async () => {
    const deposit = await gateway.pendingDeposit();
    await deposit.pay({ payerMatch: 'unknown' });
    await deposit.untilStatus('under_review');
    const answers = await Promise.all([deposit.review('return', 'ana'), deposit.review('approve', 'bob')]);
    assert.equal(answers.filter((answer) => answer !== 'closed' && answer.kind === 'done').length, 1);
    const { status } = deposit.row;
    assert.ok(status === 'paid' || status === 'returned');
    const ledger = status === 'paid' ? { available: 5000, provider_clearing: -5000 } : {};
    await deposit.expectOutcome({
      status,
      version: 4,
      events: ['deposit.pending@2', 'deposit.under_review@3', `deposit.${status}@4`],
      ledger,
    });
  });
});
