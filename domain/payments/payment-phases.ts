// What each state of a payment means for limits, totals and balances. Every list of states that count or do not count
// derives from these two tables: a test compares the lists in statements with them.
import type { DepositStatus } from './deposit.js';
import type { WithdrawalStatus } from './withdrawal.js';

/**
 * - `open`: not final; the amount counts.
 * - `settled`: paid; the amount counts.
 * - `void`: nothing was paid, or all of it went back; the amount does not count.
 */
export type PaymentPhase = 'open' | 'settled' | 'void';

export const DEPOSIT_PHASES = {
  created: 'open',
  pending: 'open',
  under_review: 'open',
  paid: 'settled',
  expired: 'void',
  cancelled: 'void',
  failed: 'void',
  returned: 'void',
  refunded: 'void',
  chargeback: 'void',
} as const satisfies Record<DepositStatus, PaymentPhase>;

/** An open withdrawal has its amount reserved in `pending_out`. */
export const WITHDRAWAL_PHASES = {
  requested: 'open',
  under_review: 'open',
  approved: 'open',
  processing: 'open',
  paid: 'settled',
  rejected: 'void',
  failed: 'void',
  cancelled: 'void',
  returned: 'void',
} as const satisfies Record<WithdrawalStatus, PaymentPhase>;

/** The states of a table that have one of the phases, in the table's order. */
export function statusesOf<Status extends string>(
  table: Readonly<Record<Status, PaymentPhase>>,
  ...phases: readonly PaymentPhase[]
): Status[] {
  return (Object.keys(table) as Status[]).filter((status) => phases.includes(table[status]));
}
