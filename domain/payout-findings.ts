// What a provider's report of a payout changes. A report that contradicts a final state changes nothing and raises an
// alert.
import type { AlertKind } from './alerts.js';
import { formatBrl } from './money.js';
import type { WithdrawalChange } from './withdrawal-record.js';
import type { WithdrawalSnapshot, WithdrawalStatus } from './withdrawal.js';

/** A payout as the provider reports it. */
export interface PayoutFinding {
  readonly status: 'processing' | 'paid' | 'failed';
  readonly endToEndId: string | null;
  readonly failureCode: string | null;
  readonly paidAt: string | null;
  /** Whether the whole amount has come back. */
  readonly returned: boolean;
  /** The sum of the completed returns, as the provider states them; null without any. */
  readonly returnedAmountMinor: string | null;
}

/** The next transition that follows from the report; null: none, or no more. */
export function nextByPayout(
  { status, updatedAt }: WithdrawalSnapshot,
  payout: PayoutFinding,
): WithdrawalChange | null {
  switch (status) {
    case 'approved':
      return { trigger: 'provider_replied', isSendKnown: true };
    case 'processing':
      return settlement(updatedAt, payout);
    case 'paid':
      return returnOf(payout) === 'whole' ? { trigger: 'payout_returned' } : null;
    case 'requested':
    case 'under_review':
    case 'rejected':
    case 'failed':
    case 'cancelled':
    case 'returned':
      return null;
  }
}

/** The alert that the report causes in this state, once for its `occasion`; null: none. */
export function payoutAlert(
  status: WithdrawalStatus,
  payout: PayoutFinding,
): { readonly kind: AlertKind; readonly detail: string; readonly occasion: string } | null {
  if (contradicts(status, payout)) {
    const occasion = `${payout.status} while ${status}`;
    const detail = `the provider reports ${payout.status} while it is ${status}`;
    return { kind: 'PAYOUT_CONTRADICTION', detail, occasion };
  }
  if (status === 'paid' && returnOf(payout) === 'partial') {
    const amount = formatBrl(BigInt(payout.returnedAmountMinor ?? '0'));
    const detail = `the receiving bank returned a part of it: ${amount}`;
    return { kind: 'PARTIAL_PAYOUT_RETURN', detail, occasion: `returned ${payout.returnedAmountMinor}` };
  }
  return null;
}

/** What of the amount the receiving bank sent back. */
function returnOf({ returned, returnedAmountMinor }: PayoutFinding): 'nothing' | 'partial' | 'whole' {
  if (returned) return 'whole';
  return returnedAmountMinor === null ? 'nothing' : 'partial';
}

function settlement(updatedAt: string, payout: PayoutFinding): WithdrawalChange | null {
  const { endToEndId } = payout;
  switch (payout.status) {
    case 'paid': {
      const reference = endToEndId === null ? {} : { pspReference: endToEndId };
      return { trigger: 'payout_settled', fields: { ...reference, paidAt: payout.paidAt ?? updatedAt } };
    }
    case 'failed':
      return { trigger: 'payout_failed', fields: { failureCode: payout.failureCode ?? 'psp_failed' } };
    case 'processing':
      return null;
  }
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
