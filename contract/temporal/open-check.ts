// The hourly comparison of open objects with their workflows: its schedule, its workflow's name, input and result.

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
