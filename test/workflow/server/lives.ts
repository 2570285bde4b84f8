// A life of each kind of workflow, with the waits that it may have, on a real Temporal server: timers, retries,
// updates, signals and runs that start again are the server's and the SDK's own.
import assert from 'node:assert/strict';
import { DAY_CLOSE_START, DAY_CLOSE_WORKFLOW, type DayCloseInput } from '../../../contract/temporal/scheduled-work.js';
import { TASK_QUEUES } from '../../../contract/temporal/workers.js';
import { eventually } from '../../../lab/harness/eventually.js';
import type { Gateway } from '../harness/gateway.js';
import { proposeRuleChange } from '../harness/rule-change-case.js';
import { newId } from '../harness/stage.js';

const CREDITED = { available: 5000, provider_clearing: -5000 };
const RESERVED = { available: -3000, pending_out: 3000 };
const PENDING = 'deposit.pending@2';
const PROCESSING = ['withdrawal.approved@1', 'withdrawal.processing@2'];

export function livesTests(gateway: Gateway): void {
  describe('lives', () => {
    it('a deposit that has expired is reopened for a late payment', async () => {
      const deposit = await gateway.pendingDeposit({ expiresInSeconds: 300 });
      await gateway.sleepUntil(deposit.row.expiresAt, 121);
      const expired = { status: 'expired', version: 3, events: [PENDING, 'deposit.expired@3'] } as const;
      await deposit.expectOutcome(expired);
      await deposit.untilEnded();
      const { status } = await deposit.pay();
      assert.equal(status, 'expired');
      const ledger = { suspense: 5000, provider_clearing: -5000 };
      await deposit.expectOutcome({ ...expired, ledger, alerts: ['LATE_PAYMENT'] });
    });

    it('a deposit is paid while its provider is silent, held for a person, and approved', async () => {
      const deposit = await gateway.pendingDeposit();
      deposit.charge.isSilent = true;
      await deposit.payAtProvider({ payerMatch: 'unknown' });
      await deposit.notice();
      await eventually(() => deposit.charge.lookups > 0, 'the provider is asked');
      await gateway.sleep(60);
      deposit.charge.isSilent = false;
      await gateway.sleep(31);
      await deposit.untilStatus('under_review');
      const approved = await deposit.review('approve');
      assert.equal(approved !== 'closed' && approved.kind, 'done');
      await deposit.expectOutcome({
        status: 'paid',
        version: 4,
        events: [PENDING, 'deposit.under_review@3', 'deposit.paid@4'],
        ledger: CREDITED,
      });
    });

    it('a withdrawal waits for its hours, its send is unknown and never repeated, and it is found and settled', async () => {
      const withdrawal = gateway.newWithdrawal();
      const opens = await gateway.now(7_200);
      const autoHours = { from: opens.slice(11, 16), to: (await gateway.now(21_600)).slice(11, 16) };
      Object.assign(withdrawal.ruling.thresholds, { timezone: 'UTC', autoHours });
      withdrawal.payout.sendAnswers.push('times_out_lost');
      await withdrawal.create();
      await gateway.sleepUntil(`${opens.slice(0, 16)}:00.000Z`, -2);
      await withdrawal.expectOutcome({
        status: 'approved',
        version: 1,
        events: [PROCESSING[0] ?? ''],
        ledger: RESERVED,
      });
      await gateway.sleep(600);
      assert.deepEqual(
        withdrawal.database.alerts.filter(({ objectId }) => objectId === withdrawal.id).map(({ kind }) => kind),
        ['PAYOUT_OUTCOME_UNKNOWN'],
      );
      withdrawal.payout.arriveLate();
      await gateway.sleep(901);
      await withdrawal.expectOutcome({ status: 'processing', version: 2, events: PROCESSING, ledger: RESERVED });
      withdrawal.payout.settle(await gateway.now());
      await withdrawal.notice();
      await withdrawal.expectOutcome({
        status: 'paid',
        version: 3,
        events: [...PROCESSING, 'withdrawal.paid@3'],
        ledger: { available: -3000, provider_clearing: 3000 },
      });
      assert.equal(withdrawal.payout.sendsThatLeft, 1);
    });

    it('a proposed change of rules expires after thirty days, not before', async () => {
      const change = await proposeRuleChange(gateway);
      await change.decide({ person: 'ana' });
      await gateway.sleepUntil(change.row().createdAt, 30 * 86_400 - 60);
      assert.equal(change.row().status, 'pending_approval');
      await gateway.sleep(120);
      assert.equal(await change.handle.result(), 'expired');
    });

    it('the day close goes through more books than one run’s history holds', async () => {
      const { openDays } = gateway.world.operations;
      for (let index = 0; index < 230; index += 1) openDays.set(`op_${String(index).padStart(4, '0')}`, 1);
      const result = await gateway.temporal.client.execute<(input: DayCloseInput) => Promise<unknown>>(
        DAY_CLOSE_WORKFLOW,
        { workflowId: newId('day-close-'), taskQueue: TASK_QUEUES.payments, args: [DAY_CLOSE_START] },
      );
      assert.deepEqual(result, { books: 230, days: 230, failed: 0 });
    });
  });
}
