// Applies the state of a payout that the provider reports. A report that contradicts a final state changes nothing and
// raises an alert.
import type { PayoutFinding } from '../../activities/types.js';
import type { WithdrawalStatus } from '../../domain/withdrawal.js';
import type { WithdrawalRecord } from './record.js';

export async function applyPayout(record: WithdrawalRecord, payout: PayoutFinding): Promise<void> {
  if (record.withdrawal.status === 'approved') await record.move('provider_replied');
  if (record.withdrawal.status === 'processing') await settle(record, payout);
  const { status } = record.withdrawal;
  if (status === 'paid' && payout.returned) return record.move('payout_returned');
  if (contradicts(status, payout))
    await record.alert(
      'PAYOUT_CONTRADICTION',
      `the provider reports ${payout.status} while it is ${status}`,
      `${payout.status} while ${status}`,
    );
}

async function settle(record: WithdrawalRecord, payout: PayoutFinding): Promise<void> {
  switch (payout.status) {
    case 'paid': {
      const paidAt = payout.paidAt ?? record.withdrawal.updatedAt;
      await record.move('payout_settled', { ...reference(payout), paidAt });
      return;
    }
    case 'failed':
      await record.move('payout_failed', { failureCode: payout.failureCode ?? 'psp_failed' });
      return;
    case 'processing':
  }
}

function reference({ endToEndId }: PayoutFinding): { pspReference?: string } {
  return endToEndId === null ? {} : { pspReference: endToEndId };
}

function contradicts(status: WithdrawalStatus, payout: PayoutFinding): boolean {
  switch (status) {
    case 'paid':
    case 'returned':
      return payout.status === 'failed';
    case 'failed':
    case 'rejected':
    case 'cancelled':
      return payout.status !== 'failed';
    case 'requested':
    case 'under_review':
    case 'approved':
    case 'processing':
      return false;
  }
}
