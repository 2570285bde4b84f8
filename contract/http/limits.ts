// The hourly limits of a player (specification, "Limits"): how many payments of one player are created in any hour.

export interface HourlyLimits {
  readonly deposits: number;
  readonly withdrawals: number;
}

/** The specification's. A sandbox may be given others (platform/config/api.ts). */
export const HOURLY_LIMITS: HourlyLimits = { deposits: 10, withdrawals: 3 };
