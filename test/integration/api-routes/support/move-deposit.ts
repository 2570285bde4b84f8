// A scripted deposit workflow that moves the deposit's row before it answers, as the real one does.
import type { DepositStatus } from '../../../../domain/payments/deposit.js';
import type { Harness } from './harness.js';

/** From now on `update` moves the deposit to `status`, as version 9. */
export function moveDeposit(harness: Harness, update: string, status: DepositStatus): void {
  harness.temporal.script(update, async ({ workflowId }) => {
    await harness.setDeposit(workflowId, {
      status,
      version: 9,
      ...(status === 'paid' ? { paidAmountMinor: '5000' } : {}),
    });
    return { kind: 'done', status, snapshot: { status } };
  });
}
