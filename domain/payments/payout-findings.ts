// What a provider's report of a payout changes. A report that contradicts a final state changes nothing and raises an
// alert.
import { alertOf } from '../alert-records.js';
import type { AlertNote } from '../alerts.js';
import { returnedMinor } from '../bank-movements.js';
import { formatBrl } from '../money.js';
import { feeDiffers } from '../provider-fees.js';
import {
  type BookedPayoutReturn,
  payoutBankId,
  type WithdrawalChange,
  type WithdrawalRecord,
} from './withdrawal-record.js';
import { WITHDRAWAL_TRANSITIONS, type WithdrawalStatus } from './withdrawal.js';

/** A completed return of a payout, or of a part of it. */
interface PayoutReturnFinding {
  /** The provider's id of it. Unique within the payout. */
  readonly reference: string;
  readonly amountMinor: bigint;
  /** RFC 3339. */
  readonly at: string;
}

/** A payout as the provider reports it. */
export interface PayoutFinding {
  readonly status: 'processing' | 'paid' | 'failed';
  readonly endToEndId: string | null;
  readonly failureCode: string | null;
  readonly paidAt: string | null;
  /** What the receiving bank has sent back: completed returns only. */
  readonly returns: readonly PayoutReturnFinding[];
  /** The provider's fee for it; `null` if it is zero or not reported. */
  readonly feeMinor: bigint | null;
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

/** The next change that follows from the report: a transition, a part that came back, the fee; `null` without any. */
export function nextByPayout(record: WithdrawalRecord, payout: PayoutFinding): WithdrawalChange | null {
  const { snapshot } = record;
  const transition = transitionBy(record, payout);
  const after = transition?.trigger ? WITHDRAWAL_TRANSITIONS[transition.trigger].to : snapshot.status;
  const { feeMinor } = payout;
  if (feeMinor === null || snapshot.feeMinor !== null || !FEE_IS_DUE[after]) return transition;
  return { trigger: null, ...transition, fields: { ...transition?.fields, feeMinor } };
}

function transitionBy(record: WithdrawalRecord, payout: PayoutFinding): WithdrawalChange | null {
  const { status, updatedAt } = record.snapshot;
  switch (status) {
    case 'approved':
      return { trigger: 'provider_replied', isSendKnown: true };
    case 'processing':
      return settlement(updatedAt, payout);
    case 'paid':
      return nextReturn(record, payout);
    case 'requested':
    case 'under_review':
    case 'rejected':
    case 'failed':
    case 'cancelled':
    case 'returned':
      return null;
  }
}

/** A part that came back and is not in the books: the last one makes it `returned`. */
function nextReturn(
  { snapshot, returnedParts }: WithdrawalRecord,
  { returns }: PayoutFinding,
): WithdrawalChange | null {
  const part = returns.find(({ reference }) => !returnedParts.some((known) => known.reference === reference));
  if (part === undefined) return null;
  const returned: BookedPayoutReturn = { of: payoutBankId(snapshot), ...part };
  const left = snapshot.amountMinor - returnedMinor(returnedParts, returned.of) - part.amountMinor;
  if (left > 0n) return { trigger: null, returned };
  return left === 0n ? { trigger: 'payout_returned', returned } : null;
}

/** The alerts that the report causes, each once for its `occasion`. */
export function payoutAlerts(record: WithdrawalRecord, payout: PayoutFinding): readonly AlertNote[] {
  const { id, feeMinor } = record.snapshot;
  const fee =
    feeMinor === null || payout.feeMinor === null || feeMinor === payout.feeMinor
      ? []
      : [feeDiffers(id, 'payout', feeMinor, payout.feeMinor)];
  return [...outcomeAlerts(record, payout), ...fee];
}

function outcomeAlerts({ snapshot, returnedParts }: WithdrawalRecord, payout: PayoutFinding): readonly AlertNote[] {
  const { id: payment, status } = snapshot;
  if (contradicts(status, payout)) {
    const alert = alertOf('PAYOUT_CONTRADICTION', 'reported', { payment, reported: payout.status, status });
    return [{ ...alert, occasion: `${payout.status} while ${status}` }];
  }
  const isPaidOut = status === 'paid' || status === 'returned';
  if (
    isPaidOut &&
    payout.returns.some(({ reference }) => !returnedParts.some((known) => known.reference === reference))
  ) {
    const [sum, booked] = [sumOf(payout.returns), sumOf(returnedParts)];
    const alert = alertOf('PAYOUT_CONTRADICTION', 'returns', { payment, sum, booked, status });
    return [{ ...alert, occasion: `returned ${sum} while ${status}` }];
  }
  if (status !== 'paid') return [];
  return returnedParts.map(({ reference, amountMinor }) => ({
    ...alertOf('PARTIAL_PAYOUT_RETURN', 'returned', { payment, amount: formatBrl(amountMinor) }),
    occasion: `returned ${reference}`,
  }));
}

function sumOf(parts: readonly { readonly amountMinor: bigint }[]): string {
  return formatBrl(parts.reduce((total, { amountMinor }) => total + amountMinor, 0n));
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
