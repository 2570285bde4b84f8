// The worker is killed (SIGKILL) in the middle of both life cycles and started again: everything ends as it should,
// once.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../lab/harness/payments.js';
import { readBooks, sendsOf } from '../../lab/harness/provider-books.js';
import { type Stack, startStack } from '../../lab/harness/stack.js';
import { eventually } from '../../lab/harness/eventually.js';

/** The simulator makes the charge at once and answers after 9 s. */
const SLOW_DEPOSIT = '66601';
/** The simulator accepts the payout and never answers the send. */
const SILENT_PAYOUT = '66623';

describe('the worker is killed', () => {
  let stack: Stack;
  before(async function () {
    this.timeout(60_000);
    stack = await startStack();
  });
  after(() => stack.close());

  it('created → pending → paid: killed while the provider is asked, and again while the payment arrives', async function () {
    this.timeout(120_000);
    const created = await stack.client.createDeposit(newDeposit(SLOW_DEPOSIT), once());
    assert.equal(created.status, 202);
    const { id } = created.body;
    await stack.worker.kill();
    assert.equal((await stack.client.getDeposit(id)).body.status, 'created', 'Postgres answers while no worker runs');
    await stack.worker.start();
    await stack.receiver.waitFor(id, 'deposit.pending');

    const paying = stack.client.sandbox.payDeposit(id, once());
    await sleep(30);
    await stack.worker.kill();
    await stack.worker.start();
    await paying.catch(() => undefined);
    await stack.receiver.waitFor(id, 'deposit.paid');

    const { body } = await stack.client.getDeposit(id);
    assert.deepEqual([body.status, body.version], ['paid', 3]);
    assert.deepEqual(stack.receiver.typesOf(id), ['deposit.pending', 'deposit.paid']);
    const { charges } = await readBooks(stack.simulatorUrl);
    assert.equal(charges.filter(({ txid }) => txid === id.slice('dep_'.length)).length, 1);
    assert.equal((await stack.gateway('ledger', 'verify'))['ok'], true);
  });

  it('approved → processing → paid: killed in the middle of the send, which is looked up and never repeated', async function () {
    this.timeout(120_000);
    const player = newPlayer();
    const funding = await stack.client.createDeposit(newDeposit('100000', player), once());
    await stack.client.sandbox.payDeposit(funding.body.id, once());
    const { id } = (await stack.client.createWithdrawal(newWithdrawal(player, SILENT_PAYOUT), once())).body;
    await stack.client.sandbox.withdrawal(id, 'approve', once());
    await eventually(async () => (await sendsOf(stack.simulatorUrl, id)) === 1, 'the payout is sent');
    await stack.worker.kill();
    await stack.worker.start();
    await stack.receiver.waitFor(id, 'withdrawal.processing', 90_000);
    await stack.client.sandbox.withdrawal(id, 'pay', once());
    await stack.receiver.waitFor(id, 'withdrawal.paid');

    const { body } = await stack.client.getWithdrawal(id);
    assert.equal(body.status, 'paid');
    assert.match(body.psp_reference ?? '', /^E[A-Za-z0-9]{31}$/);
    assert.deepEqual(stack.receiver.typesOf(id), [
      'withdrawal.under_review',
      'withdrawal.approved',
      'withdrawal.processing',
      'withdrawal.paid',
    ]);
    assert.equal(await sendsOf(stack.simulatorUrl, id), 1);
    assert.equal((await stack.gateway('ledger', 'verify'))['ok'], true);
  });
});
