// How a deposit ends without payment and by review, where time or the provider's silence decides.
import assert from 'node:assert/strict';
import { chargeReferenceOf } from '../../domain/identifiers.js';
import type { DepositCase } from './harness/deposit-case.js';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';

const CREDITED = { available: 5000, provider_clearing: -5000 };
const REVIEWED = ['deposit.pending@2', 'deposit.under_review@3'];

describe('deposit: how it ends', () => {
  const gateway = useGateway();

  describe('expiry and cancel', () => {
    it('pending → expired: two minutes after expires_at, not a second before', async () => {
      const deposit = await gateway.pendingDeposit({ expiresInSeconds: 300 });
      await gateway.sleepUntil(deposit.row.expiresAt, 119);
      await deposit.expectOutcome({ status: 'pending', version: 2, events: ['deposit.pending@2'] });
      await gateway.sleep(1.5);
      await deposit.expectOutcome({
        status: 'expired',
        version: 3,
        events: ['deposit.pending@2', 'deposit.expired@3'],
      });
      const lateMs = Date.parse(deposit.row.updatedAt) - Date.parse(deposit.row.expiresAt) - 120_000;
      // The server's clock runs on in real time between skips: a busy machine is late by what its own work takes.
      assert.ok(lateMs >= 0 && lateMs < 15_000, `expired ${lateMs} ms after the grace`);
    });

    it('pending → paid: the last look before expiry finds a payment in time whose callback was lost', async () => {
      const deposit = await gateway.pendingDeposit();
      await deposit.payAtProvider();
      await gateway.sleepUntil(deposit.row.expiresAt, 121);
      const events = ['deposit.pending@2', 'deposit.paid@3'];
      await deposit.expectOutcome({ status: 'paid', version: 3, events, ledger: CREDITED });
    });

    it('pending → expired: the provider is asked until it answers, and the payment came in time', async () => {
      const deposit = await gateway.pendingDeposit();
      deposit.charge.isSilent = true;
      await deposit.payAtProvider();
      await gateway.sleepUntil(deposit.row.expiresAt, 150);
      const expired = { status: 'expired', version: 3, events: ['deposit.pending@2', 'deposit.expired@3'] } as const;
      await deposit.expectOutcome({ ...expired, alerts: ['EXPIRY_UNCONFIRMED'] });
      deposit.charge.isSilent = false;
      await gateway.sleep(400);
      const ledger = { suspense: 5000, provider_clearing: -5000 };
      await deposit.expectOutcome({ ...expired, ledger, alerts: ['PAID_IN_TIME'] });
    });
  });

  describe('review', () => {
    async function reviewedDeposit(settings: { amountMinor?: bigint } = {}): Promise<DepositCase> {
      const deposit = await gateway.pendingDeposit();
      await deposit.pay({ payerMatch: 'mismatch', ...settings });
      return deposit;
    }

    it('under_review → returned: the provider does not answer at first, and needs minutes', async () => {
      const deposit = await reviewedDeposit();
      deposit.charge.returnAnswers.push('unknown', { kind: 'pending' }, { kind: 'pending' });
      const answer = deposit.review('return');
      await eventually(() => deposit.charge.returns > 0, 'the return is asked for');
      // While the money is on its way back, it can be neither credited nor returned again.
      const [approval, secondReturn] = await Promise.all([
        deposit.review('approve', 'bob'),
        deposit.review('return', 'bob'),
      ]);
      assert.equal(approval !== 'closed' && approval.kind, 'invalid_state');
      assert.equal(secondReturn !== 'closed' && secondReturn.kind, 'invalid_state');
      await gateway.sleep(120);
      const answered = await answer;
      assert.equal(answered !== 'closed' && answered.kind, 'returning', 'nobody waits for minutes');
      await deposit.expectOutcome({ status: 'returned', version: 4, events: [...REVIEWED, 'deposit.returned@4'] });
      assert.equal(deposit.charge.returns, 4);
    });

    it('under_review → returned: pending for a day, then people conclude it; a look-up hurries it', async () => {
      const deposit = await reviewedDeposit();
      deposit.charge.returnAnswers.push(...Array.from({ length: 1_000 }, () => ({ kind: 'pending' }) as const));
      const answer = await deposit.review('return');
      assert.equal(answer !== 'closed' && answer.kind, 'returning');
      await gateway.sleep(86_400);
      deposit.conclude('done', await gateway.now());
      await deposit.refresh();
      const asked = deposit.charge.returns;
      await gateway.sleep(30);
      await deposit.expectOutcome({ status: 'returned', version: 4, events: [...REVIEWED, 'deposit.returned@4'] });
      assert.equal(deposit.charge.returns, asked, 'it is not asked for again');
      deposit.reverseAtProvider('refund', { reference: chargeReferenceOf(deposit.id) });
      await deposit.refresh();
      await deposit.expectOutcome({ status: 'returned', version: 4, events: [...REVIEWED, 'deposit.returned@4'] });
    });
  });
});
