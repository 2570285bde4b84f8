// The sweep of a provider's account: its schedules, its workflow's name, input and result.
import type { AccountName } from '../../domain/provider-accounts.js';
import type { SweptPart } from '../../domain/receipts.js';

export const ACCOUNT_SWEEP_WORKFLOW = 'accountSweep';

/** The Temporal schedule's id; its runs are `<id>-<time>`. */
export function accountSweepSchedule(provider: AccountName, part: SweptPart): string {
  return `account-sweep-${provider}-${part}`;
}

/** At which minutes of the hour each part is read. */
export const SWEEP_MINUTES = {
  payments: { start: 0, end: 59, step: 5 },
  returns: 37,
  payouts: { start: 3, end: 59, step: 5 },
  payout_returns: 52,
  disputes: { start: 11, end: 59, step: 30 },
} as const satisfies Record<SweptPart, unknown>;

export interface AccountSweepInput {
  readonly provider: AccountName;
  readonly part: SweptPart;
  /** What earlier runs of the same sweep found; null in the first. Where they stopped is stored. */
  readonly resumed: SweepFound | null;
}

/** What a sweep found. */
export interface SweepFound {
  readonly read: number;
  /** Entries that the database did not have, of deposits and withdrawals that were notified; new or changed cases. */
  readonly missed: number;
  /** Payments and payouts that belong to no deposit or withdrawal, and cases about no deposit. */
  readonly unallocated: number;
  readonly unreadable: number;
}

export const NOTHING_FOUND: SweepFound = { read: 0, missed: 0, unallocated: 0, unreadable: 0 };

/** `refused`: the account may not list. `unanswered`: the next sweep begins where this one did. */
export type AccountSweepResult =
  | ({ readonly kind: 'swept'; readonly through: string } & SweepFound)
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unanswered' };
