// The cells of the state matrix that no door leads to, each with its reason. Everything else is executed (test/proof).
import type { DepositStatus, DepositTrigger } from '../../../domain/deposit.js';
import type { WithdrawalStatus, WithdrawalTrigger } from '../../../domain/withdrawal.js';

type Unreachable<Status extends string, Trigger extends string> = Partial<
  Record<Trigger, Partial<Record<Status, string>>>
>;

const PAID_FIRST = 'a provider reports a return on a payment only: the payment moves the deposit first';

export const UNREACHABLE_DEPOSIT_CELLS: Unreachable<DepositStatus, DepositTrigger> = {
  refund: { pending: PAID_FIRST },
  chargeback: { pending: PAID_FIRST },
};

export const UNREACHABLE_WITHDRAWAL_CELLS: Unreachable<WithdrawalStatus, WithdrawalTrigger> = {};
