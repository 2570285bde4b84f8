// The reconciliation day: which UTC days are closed, and when the next one closes (specification, GET /reconciliation).
import { DAY_MS } from './instant.js';

const HOUR_MS = 3_600_000;
/** Time after the end of the UTC day in which late transitions of its payments may be stored. */
const GRACE_MS = 2 * HOUR_MS;

/** When the day (YYYY-MM-DD, UTC) closes: D+1 02:00 UTC. */
export function dayClosesAt(day: string): Date {
  return new Date(dayStart(day).getTime() + DAY_MS + GRACE_MS);
}

/** Milliseconds until the day closes; zero or less once it is closed. */
export function millisecondsUntilClosed(day: string, now: Date): number {
  return dayClosesAt(day).getTime() - now.getTime();
}

/** The last closed day at that instant, YYYY-MM-DD. */
export function lastClosedDay(now: Date): string {
  return new Date(now.getTime() - DAY_MS - GRACE_MS).toISOString().slice(0, 10);
}

/** The instant at which the day begins. */
function dayStart(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

/** `late_payment`: money in suspense, no item. `carried_over`: an item that was settled on an earlier day. */
export const DAY_EXCEPTIONS = ['late_payment', 'carried_over'] as const;
export type DayExceptionKind = (typeof DAY_EXCEPTIONS)[number];
