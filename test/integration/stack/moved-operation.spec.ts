// An operation moves between banks as they are: what differs between their dialects does not show in a payment that
// outlives the move. Between slots of one dialect: one-stack/moved-operation.ts.
import assert from 'node:assert/strict';
import { chargeReferenceOf, payoutReferenceOf } from '../../../domain/identifiers.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../../lab/harness/payments.js';
import { type Stack, startStack } from '../../../lab/harness/stack.js';

describe('an operation that moves from Efí to Woovi, and to a bank that only receives', function () {
  this.timeout(120_000);
  let stack: Stack;
  const player = { ...newPlayer(), name: 'Ana Souza' };

  before(async () => {
    stack = await startStack({
      variables: {
        PROVIDER_SIMULATOR_DIALECT: 'efi',
        PROVIDER_A_DIALECT: 'woovi',
        PROVIDER_A_CLIENT_ID: '',
        PROVIDER_A_CALLBACK_KEYS_URL: '{simulator}/a/api/v1/webhook/public-keys',
        PROVIDER_B_DIALECT: 'api-pix',
      },
    });
    await paid(await deposit('100000'));
  });
  after(() => stack?.close());

  const move = (slot: string) =>
    stack.gateway('operation', 'set-provider', '--operation', stack.operation.operation_id, slot);
  const moveMoney = (to: string) =>
    stack.gateway(
      ...['cash', 'move', '--operation', stack.operation.operation_id, '--from', 'simulator', '--to', to, '50000'],
      ...['--document', 'slip 1', '--reason', 'the operation has moved'],
    );
  const deposit = async (amount: string) => {
    const { id } = (await stack.client.createDeposit({ ...newDeposit(amount, player), player }, once())).body;
    await stack.receiver.waitFor(id, 'deposit.pending');
    return id;
  };
  const paid = async (id: string) => {
    await stack.client.sandbox.payDeposit(id, once());
    await stack.receiver.waitFor(id, 'deposit.paid');
  };
  const approvedWithdrawal = async () => {
    const { id, status } = (await stack.client.createWithdrawal(newWithdrawal(player, '1000'), once())).body;
    if (status === 'under_review') await stack.client.sandbox.withdrawal(id, 'approve', once());
    return id;
  };
  const sent = async () => {
    const id = await approvedWithdrawal();
    await stack.receiver.waitFor(id, 'withdrawal.processing');
    return id;
  };
  const settled = async (id: string, end: 'paid' | 'returned') => {
    await stack.client.sandbox.withdrawal(id, end === 'paid' ? 'pay' : 'return', once());
    await stack.receiver.waitFor(id, `withdrawal.${end}`);
  };
  /** At which slots the bank has a payment's charge or payout, and how often it was sent. */
  const playedAt = async (reference: string) => {
    const answer = await fetch(`${stack.simulatorUrl}/control/books?reference=${reference}`);
    const books = (await answer.json()) as Record<'charges' | 'payouts', { provider: string; sends?: number }[]>;
    return [...books.charges, ...books.payouts].map(({ provider, sends = 1 }) => `${provider} ${sends}`);
  };

  it('charges and payouts of Efí end there, their returns too; new ones are made at Woovi', async () => {
    const [open, processing] = [await deposit('5000'), await sent()];
    await move('a');
    await moveMoney('a');
    const [newDepositId, newWithdrawalId] = [await deposit('6000'), await sent()];
    assert.deepEqual(
      await Promise.all(
        [
          chargeReferenceOf(open),
          payoutReferenceOf(processing),
          chargeReferenceOf(newDepositId),
          payoutReferenceOf(newWithdrawalId),
        ].map(playedAt),
      ),
      [['simulator 1'], ['simulator 1'], ['a 1'], ['a 1']],
    );
    for (const id of [open, newDepositId]) await paid(id);
    for (const id of [processing, newWithdrawalId]) {
      await settled(id, 'paid');
      await settled(id, 'returned');
    }
    await stack.client.sandbox.chargebackDeposit(open, once());
    await stack.receiver.waitFor(open, 'deposit.chargeback');
  });

  it('an approved withdrawal that waits is sent once, where it was approved; new ones are refused', async () => {
    await stack.gateway('provider', 'pause', 'a', '--reason', 'an incident');
    const waiting = await approvedWithdrawal();
    assert.equal((await stack.client.getWithdrawal(waiting)).body.status, 'approved');
    await move('b');
    const unnamed = await deposit('7000');
    await stack.client.sandbox.payDeposit(unnamed, once());
    // This bank does not report who paid.
    await stack.receiver.waitFor(unnamed, 'deposit.under_review');
    const another = { ...newPlayer(), name: 'Bia Lima' };
    await assert.rejects(stack.client.createWithdrawal(newWithdrawal(another, '1000'), once()), {
      code: 'method_not_enabled',
    });
    assert.deepEqual(await playedAt(payoutReferenceOf(waiting)), []);
    await stack.gateway('provider', 'resume', 'a');
    await stack.receiver.waitFor(waiting, 'withdrawal.processing');
    await settled(waiting, 'paid');
    assert.deepEqual(await playedAt(payoutReferenceOf(waiting)), ['a 1']);
    assert.deepEqual((await stack.gateway('ledger', 'verify'))['problems'], []);
  });
});
