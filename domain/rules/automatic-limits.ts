// How much may be paid automatically. To a player: X times the deposits, in exact integers. Of an operation: a cap per
// clock hour (UTC) and local day, counted so that it holds under concurrency.
import { engineOf, type Thresholds } from './thresholds.js';
import { localDate } from './local-time.js';

/** X × settled deposits in minor units, rounded down; `multiplier` is a decimal string such as "1.5". */
export function multiplierLimitMinor(multiplier: string, settledMinor: bigint): bigint {
  const [whole = '0', fraction = ''] = multiplier.split('.');
  return (BigInt(whole + fraction) * settledMinor) / 10n ** BigInt(fraction.length);
}

/** Whether the multiplier turns automatic withdrawals off. */
export function isMultiplierOff(multiplier: string): boolean {
  return /^0(\.0*)?$/.test(multiplier);
}

/**
 * The amount left under the X-times rule (`auto_withdrawal_remaining` of PlayerLimits): X × settled deposits minus the
 * withdrawals that were not rejected, failed, cancelled or returned. Never below zero.
 */
export function automaticRemainingMinor(multiplier: string, settledMinor: bigint, withdrawnMinor: bigint): bigint {
  const remaining = multiplierLimitMinor(multiplier, settledMinor) - withdrawnMinor;
  return remaining > 0n ? remaining : 0n;
}

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
