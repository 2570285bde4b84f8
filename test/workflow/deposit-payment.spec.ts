// A payment and its callback do not come at the same moment: when the provider is asked again.
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';

const CREDITED = { available: 5000, provider_clearing: -5000 };
const PAID = { status: 'paid', version: 3, events: ['deposit.pending@2', 'deposit.paid@3'], ledger: CREDITED } as const;

describe('deposit: payment', () => {
  const gateway = useGateway();

  it('pending → paid: the provider is silent when the callback comes, and is asked until it answers', async () => {
    const deposit = await gateway.pendingDeposit();
    await deposit.payAtProvider();
    deposit.charge.isSilent = true;
    await deposit.notice();
    await gateway.sleep(300);
    await deposit.expectOutcome({ status: 'pending', version: 2, events: ['deposit.pending@2'] });
    deposit.charge.isSilent = false;
    await gateway.sleep(31);
    await deposit.expectOutcome(PAID);
  });

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
});
