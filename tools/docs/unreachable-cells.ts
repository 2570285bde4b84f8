// State matrix cells that no workflow can reach, each with its reason. test/proof executes all others.
import type { DepositStatus, DepositTrigger } from '../../domain/payments/deposit.js';
import type { WithdrawalStatus, WithdrawalTrigger } from '../../domain/payments/withdrawal.js';

type Unreachable<Status extends string, Trigger extends string> = Partial<
  Record<Trigger, Partial<Record<Status, string>>>
>;

const PAID_FIRST = 'a provider reports a return on a payment only: the payment moves the deposit first';

export const UNREACHABLE_DEPOSIT_CELLS: Unreachable<DepositStatus, DepositTrigger> = {
  refund: { pending: PAID_FIRST },
  chargeback: { pending: PAID_FIRST },
};

export const UNREACHABLE_WITHDRAWAL_CELLS: Unreachable<WithdrawalStatus, WithdrawalTrigger> = {};
