// A payment whose workflow was lost goes on from its row, where what lives play says little: the return of an extra
// payment of a deposit that is over, and a payout that may have left.
import assert from 'node:assert/strict';
import { eventually } from '../../lab/harness/eventually.js';
import { checkLedger } from '../../store/ledger/check.js';
import { orderItemReturn } from '../../store/ledger/item-returns.js';
import { inTransaction } from '../../store/transactions.js';
import { ProvedDeposit } from './harness/deposit.js';
import { ACTION_MS } from './harness/payment.js';
import { fundedOperation, onModel, useStage } from './harness/stage.js';
import { ProvedWithdrawal } from './harness/withdrawal.js';

describe('a workflow is lost', () => {
  const stage = useStage({ start: onModel });

  it('while an extra payment goes back: it goes back once', async () => {
    const { database } = stage();
    const deposit = new ProvedDeposit(stage(), await fundedOperation(stage()));
    const { id, operationId, charge } = deposit;
    const leftInSuspense = async (expected: string) => {
      const { _sum: sum } = await database.suspenseItem.aggregate({
        where: { objectId: id },
        _sum: { leftMinor: true },
      });
      return sum.leftMinor?.toString() === expected;
    };
    await deposit.isPending();
    await deposit.payAtProvider();
    await deposit.notice();
    await deposit.reaches('paid');
    const { endToEndId: payment } = await deposit.payAtProvider('other', 700n);
    await deposit.notice();
    await eventually(() => leftInSuspense('700'), 'the second payment is in suspense', ACTION_MS);
    charge.isReturnSilent = true;
    const order = { operationId, payment, amount: { amount: '700', currency: 'BRL' }, reason: 'paid twice' };
    const people = { requestedBy: 'ana', approval: null };
    const ordered = await inTransaction(database, (transaction) => orderItemReturn(transaction, order, people));
    assert.equal(ordered.kind, 'done');
    await deposit.refresh();
    await stage().temporal.client.getHandle(id).terminate('lost');
    assert.equal((await deposit.reopen()).kind, 'answer');
    charge.isReturnSilent = false;
    await eventually(() => leftInSuspense('0'), 'the second payment has gone back', ACTION_MS);
    await deposit.ended();
    const stored = await deposit.read();
    assert.deepEqual(
      stored?.entries
        .filter(({ objectId, amountMinor }) => objectId === id && amountMinor > 0n)
        .map((one) => one.movement),
      ['deposit_credited', 'late_payment_received', 'suspense_reversed'],
    );
    assert.deepEqual([stored?.row.status, charge.returns.size], ['paid', 1]);
    assert.deepEqual((await checkLedger(database, operationId)).problems, []);
  }).timeout(3 * ACTION_MS);

  it('while the outcome of a send is unknown: the payout is looked up, neither cancelled nor sent again', async () => {
    const withdrawal = new ProvedWithdrawal(stage(), await fundedOperation(stage()));
    const { id, operationId, payout } = withdrawal;
    payout.isSilent = true;
    payout.fates.push('taken_unheard');
    await withdrawal.create();
    await eventually(() => payout.sends === 1, 'the send leaves', ACTION_MS);
    await stage().temporal.client.getHandle(id).terminate('lost');
    assert.equal((await withdrawal.reopen()).kind, 'answer');
    assert.equal(await withdrawal.cancel(), 'invalid_state');
    payout.isSilent = false;
    await withdrawal.reaches('processing');
    payout.settle(new Date().toISOString());
    await withdrawal.notice();
    await withdrawal.reaches('paid');
    assert.equal(payout.sends, 1);
    assert.deepEqual((await checkLedger(stage().database, operationId)).problems, []);
  }).timeout(3 * ACTION_MS);
});
