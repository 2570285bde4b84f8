// What the provider says of a payout, applied by rule. A contradiction of what is final changes nothing and is reported.
import type { PayoutFinding } from '../../activities/types.js';
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
  if (payout.status === 'paid') {
    await record.move('payout_settled', { ...reference(payout), paidAt: payout.paidAt ?? record.withdrawal.updatedAt });
  } else if (payout.status === 'failed') {
    await record.move('payout_failed', { failureCode: payout.failureCode ?? 'psp_failed' });
  }
}

function reference({ endToEndId }: PayoutFinding): { pspReference?: string } {
  return endToEndId === null ? {} : { pspReference: endToEndId };
}

function contradicts(status: string, payout: PayoutFinding): boolean {
  if (status === 'paid' || status === 'returned') return payout.status === 'failed';
  return ['failed', 'rejected', 'cancelled'].includes(status) && payout.status !== 'failed';
}
