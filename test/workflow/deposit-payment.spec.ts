// A payment and its callback do not come at the same moment: when the provider is asked again, and that a look-up that
// takes its time keeps no other act on the deposit waiting.
import assert from 'node:assert/strict';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';

const CREDITED = { available: 5000, provider_clearing: -5000 };
const PAID = { status: 'paid', version: 3, events: ['deposit.pending@2', 'deposit.paid@3'], ledger: CREDITED } as const;

describe('deposit: look-ups', () => {
  const gateway = useGateway();

  it('pending → paid: a callback ahead of the provider’s own answers, which show the payment a few seconds later', async () => {
    const deposit = await gateway.pendingDeposit();
    await deposit.notice();
    await eventually(() => deposit.charge.lookups === 1, 'the provider is asked');
    await gateway.sleep(3);
    await eventually(() => deposit.charge.lookups === 2, 'it is asked again');
    await deposit.payAtProvider();
    await gateway.sleep(6);
    await deposit.expectOutcome(PAID);
  });

  it('pending → expired in its time: a callback without a payment behind it is looked up four times more', async () => {
    const deposit = await gateway.pendingDeposit();
    await deposit.notice();
    await eventually(() => deposit.charge.lookups === 1, 'the provider is asked');
    await gateway.sleep(600);
    await eventually(
      () => deposit.charge.lookups === 5,
      `asked after 2, 5, 15 and 60 s, not ${deposit.charge.lookups}`,
    );
    await deposit.expectOutcome({ status: 'pending', version: 2, events: ['deposit.pending@2'] });
    await gateway.sleep((Date.parse(deposit.row.expiresAt) - Date.parse(deposit.row.createdAt)) / 1_000);
    await deposit.expectOutcome({ status: 'expired', version: 3, events: ['deposit.pending@2', 'deposit.expired@3'] });
  });

  it('pending → cancelled: the last look before expiry keeps no cancel waiting', async () => {
    const deposit = await gateway.pendingDeposit();
    deposit.charge.lookupGate.close();
    // A call under way stops the server's clock: it is skipped to the deadline, not beyond.
    const skipped = gateway.sleepUntil(deposit.row.expiresAt, 120.5);
    await eventually(() => deposit.charge.lookupGate.queue > 0, 'the last look is under way');
    const cancelled = await deposit.cancel();
    assert.equal(cancelled !== 'closed' && cancelled.kind, 'done');
    assert.ok(deposit.charge.lookupGate.queue > 0, 'it is still under way');
    deposit.charge.lookupGate.open();
    await skipped;
    await deposit.expectOutcome({
      status: 'cancelled',
      version: 3,
      events: ['deposit.pending@2', 'deposit.cancelled@3'],
    });
  });

  it('under_review: an approval that waits for the provider keeps no other decision waiting', async () => {
    const deposit = await gateway.pendingDeposit();
    await deposit.payAtProvider({ payerMatch: 'unknown' });
    await deposit.notice();
    await gateway.sleep(5);
    await deposit.untilStatus('under_review');
    deposit.charge.lookupGate.close();
    const approval = deposit.review('approve', 'ana');
    await eventually(() => deposit.charge.lookupGate.queue > 0, 'the approval looks at the charge');
    const returned = await deposit.review('return', 'bob');
    assert.equal(returned !== 'closed' && returned.kind, 'done');
    assert.ok(deposit.charge.lookupGate.queue > 0, 'it is still looking');
    deposit.charge.lookupGate.open();
    const answer = await approval;
    assert.equal(answer !== 'closed' && answer.kind, 'invalid_state');
    await deposit.expectOutcome({
      status: 'returned',
      version: 4,
      events: ['deposit.pending@2', 'deposit.under_review@3', 'deposit.returned@4'],
    });
  });
});
