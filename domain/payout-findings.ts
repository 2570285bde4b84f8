// What a provider's report of a payout changes. A report that contradicts a final state changes nothing and raises an
// alert.
import type { AlertKind } from './alerts.js';
import { formatBrl } from './money.js';
import { feeDiffers } from './provider-fees.js';
import type { WithdrawalChange } from './withdrawal-record.js';
import { WITHDRAWAL_TRANSITIONS, type WithdrawalSnapshot, type WithdrawalStatus } from './withdrawal.js';

/** A payout as the provider reports it. */
export interface PayoutFinding {
  readonly status: 'processing' | 'paid' | 'failed';
  readonly endToEndId: string | null;
  readonly failureCode: string | null;
  readonly paidAt: string | null;
  /** Whether the whole amount has come back. */
  readonly returned: boolean;
  /** The sum of the completed returns, as the provider states them; `null` without any. */
  readonly returnedAmountMinor: string | null;
  /** The provider's fee for it; `null` if it is zero or not reported. */
  readonly feeMinor: string | null;
}

/** The states in which the provider's fee is due. A fee that it reports earlier may still change. */
const FEE_IS_DUE: Readonly<Record<WithdrawalStatus, boolean>> = {
  requested: false,
  under_review: false,
  approved: false,
  processing: false,
  paid: true,
  rejected: false,
  failed: true,
  cancelled: false,
  returned: true,
};

/** The next change that follows from the report: a transition, the fee, or both; `null` if there is none. */
export function nextByPayout(withdrawal: WithdrawalSnapshot, payout: PayoutFinding): WithdrawalChange | null {
  const transition = transitionBy(withdrawal, payout);
  const after = transition?.trigger ? WITHDRAWAL_TRANSITIONS[transition.trigger].to : withdrawal.status;
  const { feeMinor } = payout;
  if (feeMinor === null || withdrawal.feeMinor !== null || !FEE_IS_DUE[after]) return transition;
  return { trigger: null, ...transition, fields: { ...transition?.fields, feeMinor } };
}

function transitionBy({ status, updatedAt }: WithdrawalSnapshot, payout: PayoutFinding): WithdrawalChange | null {
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

interface PayoutAlert {
  readonly kind: AlertKind;
  readonly detail: string;
  readonly occasion: string;
}

/** The alerts that the report causes, each once for its `occasion`. */
export function payoutAlerts(
  { id, status, feeMinor }: Pick<WithdrawalSnapshot, 'id' | 'status' | 'feeMinor'>,
  payout: PayoutFinding,
): readonly PayoutAlert[] {
  const fee =
    feeMinor === null || payout.feeMinor === null || feeMinor === payout.feeMinor
      ? []
      : [feeDiffers('payout', feeMinor, payout.feeMinor)];
  return [...outcomeAlerts(status, payout), ...fee].map((alert) => ({ ...alert, detail: `${id}: ${alert.detail}` }));
}

function outcomeAlerts(status: WithdrawalStatus, payout: PayoutFinding): readonly PayoutAlert[] {
  if (contradicts(status, payout)) {
    const occasion = `${payout.status} while ${status}`;
    const detail = `the provider reports ${payout.status} while it is ${status}`;
    return [{ kind: 'PAYOUT_CONTRADICTION', detail, occasion }];
  }
  if (status === 'paid' && returnOf(payout) === 'partial') {
    const amount = formatBrl(BigInt(payout.returnedAmountMinor ?? '0'));
    const detail = `the receiving bank returned a part of it: ${amount}`;
    return [{ kind: 'PARTIAL_PAYOUT_RETURN', detail, occasion: `returned ${payout.returnedAmountMinor}` }];
  }
  return [];
}

/** The part of the amount that the receiving bank sent back. */
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
