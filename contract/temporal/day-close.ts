// The nightly day close: its schedule, its workflow's name and input.

export const DAY_CLOSE_WORKFLOW = 'dayClose';
/** The Temporal schedule's id; its runs are `day-close-<time>`. */
export const DAY_CLOSE_SCHEDULE = 'day-close';
/** D+1 02:00 UTC: the moment at which day D is closed. */
export const DAY_CLOSE_HOUR_UTC = 2;

export interface DayCloseInput {
  /** Where an earlier run of the same night left off; null at the beginning. */
  readonly after: { readonly operationId: string; readonly currency: string } | null;
  readonly done: DayCloseResult;
}

export interface DayCloseResult {
  /** Days frozen, over all operations. */
  readonly days: number;
  readonly books: number;
  /** Books that could not be frozen; an alert names each. */
  readonly failed: number;
}

export const DAY_CLOSE_START: DayCloseInput = { after: null, done: { days: 0, books: 0, failed: 0 } };
