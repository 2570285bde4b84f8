// How a deposit comes to be: decided, stored, charged at the provider, answered in time.
import assert from 'node:assert/strict';
import { useGateway } from './harness/gateway.js';

describe('deposit: creation', () => {
  const gateway = useGateway();

  it('created → pending: the provider returned the PIX', async () => {
    const deposit = gateway.newDeposit();
    const creation = await deposit.create();
    assert.equal(creation.kind === 'created' && creation.deposit.status, 'pending');
    assert.deepEqual(deposit.row.instructions?.copyPaste, '00020101-test');
    await deposit.expectOutcome({ status: 'pending', version: 2, events: ['deposit.pending@2'] });
  });
});
