// Stores what a provider's report of a payout changes, one transition after another, and raises its alert.
import type { PaymentRef } from '../../../contract/temporal/payment-steps.js';
import { nextByPayout, payoutAlerts, type PayoutFinding } from '../../../domain/payments/payout-findings.js';
import { MovementTakenError } from '../../../store/ledger/bank-movements.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import { claimedTwice, raiseAbout } from '../alerts.js';
import { readBy, storeInTurn } from '../step.js';
import type { WithdrawalDependencies } from './ports.js';

export async function storeReport(
  { withdrawals, payouts }: Pick<WithdrawalDependencies, 'withdrawals' | 'payouts'>,
  ref: PaymentRef,
  start: WithdrawalRow,
  payout: PayoutFinding,
): Promise<WithdrawalRow> {
  const contract = payouts.contractOf(start.order);
  const next = ({ record }: WithdrawalRow) => readBy(contract, nextByPayout(record, payout));
  try {
    const row = await storeInTurn(withdrawals, ref, start, next);
    for (const alert of payoutAlerts(row.record, payout)) await raiseAbout(withdrawals, ref, alert);
    return row;
  } catch (error) {
    if (!(error instanceof MovementTakenError)) throw error;
    await raiseAbout(withdrawals, ref, claimedTwice(ref.id, error));
    return withdrawals.read(ref);
  }
}
