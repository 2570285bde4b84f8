// Automatic payouts of an operation, counted per clock hour (UTC) and local day, so that the cap holds under
// concurrency.
import { localDate } from './local-time.js';
import { engineOf } from './engine-thresholds.js';
import type { Thresholds } from './thresholds.js';

/**
 * The periods that an automatic withdrawal counts in, and their caps (`null` for no cap). Passes through Temporal with
 * the verdict.
 */
export interface AutomaticUse {
  readonly hour: string;
  readonly day: string;
  readonly perHourMinor: bigint | null;
  readonly perDayMinor: bigint | null;
}

/** The periods of a withdrawal that was requested at `createdAt` (RFC 3339), under these thresholds. */
export function automaticUseAt(createdAt: string, thresholds: Thresholds): AutomaticUse {
  const instant = new Date(createdAt);
  const { perHourMinor, perDayMinor } = engineOf(thresholds).operationAutoCap;
  return {
    hour: instant.toISOString().slice(0, 13),
    day: localDate(instant, thresholds.timezone),
    perHourMinor,
    perDayMinor,
  };
}

/** A stored counter: the amounts of its latest periods. */
export interface StoredUse {
  readonly hour: string;
  readonly hourMinor: bigint;
  readonly day: string;
  readonly dayMinor: bigint;
}

/** The amounts already counted in the periods of `use`. A counter ahead of a slow clock still counts. */
export function usedIn(stored: StoredUse | null, use: AutomaticUse): { hourMinor: bigint; dayMinor: bigint } {
  if (stored === null) return { hourMinor: 0n, dayMinor: 0n };
  return {
    hourMinor: stored.hour >= use.hour ? stored.hourMinor : 0n,
    dayMinor: stored.day >= use.day ? stored.dayMinor : 0n,
  };
}
