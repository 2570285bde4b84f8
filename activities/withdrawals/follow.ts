// Stores what a provider's report of a payout changes, one transition after another, and raises its alert.
import type { PaymentRef } from '../../contract/temporal/payment-steps.js';
import { nextByPayout, payoutAlerts, type PayoutFinding } from '../../domain/payout-findings.js';
import { MovementTakenError } from '../../store/ledger/bank-movements.js';
import type { HeldWithdrawal } from '../../store/withdrawals/held.js';
import { claimedTwice } from '../payments/claimed-twice.js';
import type { WithdrawalDependencies } from './ports.js';
import { storeInTurn } from './step.js';

export async function followPayout(
  { withdrawals, calls }: Pick<WithdrawalDependencies, 'withdrawals' | 'calls'>,
  ref: PaymentRef,
  start: HeldWithdrawal,
  payout: PayoutFinding,
): Promise<HeldWithdrawal> {
  const contract = calls.contractOf(start.order);
  const { id: objectId, operationId, at } = ref;
  try {
    const held = await storeInTurn(withdrawals, ref, start, (record) => {
      const change = nextByPayout(record, payout);
      return change === null ? null : { ...change, contract };
    });
    for (const alert of payoutAlerts(held.record, payout))
      await withdrawals.raiseAlert({ ...alert, operationId, objectId, at });
    return held;
  } catch (error) {
    if (!(error instanceof MovementTakenError)) throw error;
    await withdrawals.raiseAlert({ ...claimedTwice(objectId, error), operationId, objectId, at });
    return withdrawals.read(ref);
  }
}
