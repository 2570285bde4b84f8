// The work that runs on a schedule: day close, housekeeping, verification, the hourly comparison with workflows and the
// sweep of a provider's account. Their schedules, workflows' names, inputs and results.
import type { AccountName } from '../../domain/provider-accounts.js';
import type { SweptPart } from '../../domain/receipts.js';

export const DAY_CLOSE_WORKFLOW = 'dayClose';
/** The Temporal schedule's id; its runs are `day-close-<time>`. */
export const DAY_CLOSE_SCHEDULE = 'day-close';
/** Day D closes at D+1 02:00 UTC. */
export const DAY_CLOSE_HOUR_UTC = 2;

export interface DayCloseInput {
  /** The last book of the previous run of the same night; null in the first. */
  readonly after: { readonly operationId: string; readonly currency: string } | null;
  readonly done: DayCloseResult;
}

export interface DayCloseResult {
  /** Days frozen, over all operations. */
  readonly days: number;
  readonly books: number;
  /** Books that could not be frozen. Each has an alert. */
  readonly failed: number;
}

export const DAY_CLOSE_START: DayCloseInput = { after: null, done: { days: 0, books: 0, failed: 0 } };

export const HOUSEKEEPING_WORKFLOW = 'housekeeping';
/** The Temporal schedule's id; its runs are `housekeeping-<time>`. */
export const HOUSEKEEPING_SCHEDULE = 'housekeeping';
/** After the day close, which has priority. */
export const HOUSEKEEPING_HOUR_UTC = 3;

export interface HousekeepingResult {
  /** Alerts about the age of keys and webhook secrets. */
  readonly rotationAlertsRaised: number;
  readonly rotationAlertsResolved: number;
  /** Callbacks past their retention. */
  readonly callbacksRemoved: number;
  /** Erased players whose histories were deleted, and those with a payment that still runs. */
  readonly playersErased: number;
  readonly playersLeft: number;
}

export const VERIFICATION_WORKFLOW = 'verification';
/** The Temporal schedule's id; its runs are `verification-<time>`. */
export const VERIFICATION_SCHEDULE = 'verification';
/** After the day close and housekeeping. */
export const VERIFICATION_HOUR_UTC = 4;

export interface VerificationInput {
  /** How far the previous run of the same night came with the ledgers; null in the first. */
  readonly progress: string | null;
}

/** Numbers of problems; each kind has an alert. Null: the check itself failed. */
export interface VerificationResult {
  readonly ledger: number | null;
  readonly audit: number | null;
  readonly decisions: number | null;
  readonly signatures: number | null;
}

export const VERIFICATION_START: VerificationInput = { progress: null };

export const OPEN_CHECK_WORKFLOW = 'openCheck';
/** The Temporal schedule's id; its runs are `open-check-<time>`. */
export const OPEN_CHECK_SCHEDULE = 'open-check';
/** The id of the run that a person asks for. */
export const OPEN_CHECK_BY_HAND = 'open-check-by-hand';
/** The minute of every hour. */
export const OPEN_CHECK_MINUTE = 17;

/** An object that is younger is left out: its workflow and its row may be a step apart. */
export const SETTLED_AFTER_SECONDS = 300;

export interface OpenCheckInput {
  /** How far the previous run of the same check came; null in the first. */
  readonly progress: string | null;
  readonly done: OpenCheckResult;
}

export interface OpenCheckResult {
  /** Open payments and rule changes that were compared. */
  readonly compared: number;
  /** Those without a workflow, reopened from their rows. Each has an alert. */
  readonly reopened: number;
  /** Those without a workflow that could not be reopened; the next check tries again. */
  readonly failed: number;
}

export const OPEN_CHECK_START: OpenCheckInput = { progress: null, done: { compared: 0, reopened: 0, failed: 0 } };

/** How a running workflow gets on. */
export interface RunProgress {
  readonly runId: string;
  readonly historyEvents: number;
  /** The most attempts of an activity that is under way. */
  readonly pendingAttempts: number;
  /** How often the task that is due has failed, or its worker has died. 0 for a workflow that waits. */
  readonly failedTasks: number;
  /** Since when the first try of a task waits for a worker, RFC 3339; `null`: none does. */
  readonly untakenSince: string | null;
}

export interface OpenRun extends RunProgress {
  /** Why the gateway did not start it; `null` for one of the gateway's. */
  readonly impostor: string | null;
}

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
