// The hourly limits of a player (specification, "Limits"): the number of payments per player in any hour.

export interface HourlyLimits {
  readonly deposits: number;
  readonly withdrawals: number;
}

/** The specification's values. A sandbox can configure others (platform/config/api.ts). */
export const HOURLY_LIMITS: HourlyLimits = { deposits: 10, withdrawals: 3 };
