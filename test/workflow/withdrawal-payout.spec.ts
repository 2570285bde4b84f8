// What the provider reports after the send, early or late. Which state allows what: test/proof/matrix.spec.ts.
import assert from 'node:assert/strict';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';
import type { WithdrawalCase } from './harness/withdrawal-case.js';

const RESERVED = { available: -3000, pending_out: 3000 };
const GONE = { available: -3000, provider_clearing: 3000 };
const APPROVED = ['withdrawal.approved@1'];
const PROCESSING = [...APPROVED, 'withdrawal.processing@2'];

describe('withdrawal: payout and refusals', () => {
  const gateway = useGateway();

  describe('payout', () => {
    async function processingWithdrawal(): Promise<WithdrawalCase> {
      const withdrawal = gateway.newWithdrawal();
      await withdrawal.create();
      await withdrawal.untilStatus('processing');
      return withdrawal;
    }

    it('processing → paid: a callback ahead of the provider’s own answers, which show it a few seconds later', async () => {
      const withdrawal = await processingWithdrawal();
      await withdrawal.notice();
      // At once, and then after pauses of two and five seconds.
      await eventually(() => withdrawal.payout.lookups === 2, 'the provider is asked');
      await gateway.sleep(3);
      await eventually(() => withdrawal.payout.lookups === 3, 'it is asked again');
      withdrawal.payout.settle(await gateway.now());
      await gateway.sleep(6);
      await withdrawal.expectOutcome({
        status: 'paid',
        version: 3,
        events: [...PROCESSING, 'withdrawal.paid@3'],
        ledger: GONE,
      });
      assert.equal(withdrawal.payout.lookups, 4);
    });

    it('processing stays: the provider is silent for an hour, then settles', async () => {
      const withdrawal = await processingWithdrawal();
      withdrawal.payout.isSilent = true;
      await gateway.sleep(3600);
      await withdrawal.expectOutcome({ status: 'processing', version: 2, events: PROCESSING, ledger: RESERVED });
      withdrawal.payout.settle(await gateway.now());
      withdrawal.payout.isSilent = false;
      await gateway.sleep(3700);
      await withdrawal.expectOutcome({
        status: 'paid',
        version: 3,
        events: [...PROCESSING, 'withdrawal.paid@3'],
        ledger: GONE,
      });
    });
  });
});
