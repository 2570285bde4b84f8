// Stores what a provider's report of a payout changes, one transition after another, and raises its alert.
import type { PaymentRef } from '../../contract/temporal/payment-steps.js';
import { nextByPayout, payoutAlerts, type PayoutFinding } from '../../domain/payout-findings.js';
import type { HeldWithdrawal } from '../../store/withdrawals/held.js';
import type { WithdrawalDependencies } from './ports.js';
import { storeInTurn } from './step.js';

export async function followPayout(
  { withdrawals, calls }: Pick<WithdrawalDependencies, 'withdrawals' | 'calls'>,
  ref: PaymentRef,
  start: HeldWithdrawal,
  payout: PayoutFinding,
): Promise<HeldWithdrawal> {
  const contract = calls.contractOf(start.order);
  const held = await storeInTurn(withdrawals, ref, start, (snapshot) => {
    const change = nextByPayout(snapshot, payout);
    return change === null ? null : { ...change, contract };
  });
  const { id: objectId, operationId, at } = ref;
  for (const alert of payoutAlerts(held.record.snapshot, payout))
    await withdrawals.raiseAlert({ ...alert, operationId, objectId, at });
  return held;
}
