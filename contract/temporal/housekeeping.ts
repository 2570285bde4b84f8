// The daily housekeeping: its schedule and its workflow's name and result.

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
