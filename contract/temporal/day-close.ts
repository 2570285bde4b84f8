// The nightly day close: its schedule, its workflow's name and input.

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
