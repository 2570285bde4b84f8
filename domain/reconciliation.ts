// The reconciliation day: which UTC days are closed, and when an open one closes (specification, GET /reconciliation).

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Hours after the end of the UTC day in which late steps of its payments may still be stored. */
const GRACE_MS = 2 * HOUR_MS;

/** When the day (YYYY-MM-DD, UTC) is closed: D+1 02:00 UTC. */
export function dayClosesAt(day: string): Date {
  return new Date(dayStart(day).getTime() + DAY_MS + GRACE_MS);
}

/** Milliseconds until the day is closed; zero or less once it is. */
export function millisecondsUntilClosed(day: string, now: Date): number {
  return dayClosesAt(day).getTime() - now.getTime();
}

/** The last day that is closed at that instant, YYYY-MM-DD. */
export function lastClosedDay(now: Date): string {
  return new Date(now.getTime() - DAY_MS - GRACE_MS).toISOString().slice(0, 10);
}

/** The instant at which the day begins. */
export function dayStart(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

/** What an item of a day can be in this version (specification, "Reconciliation": an open list). */
export const SETTLEMENT_KINDS = ['deposit', 'withdrawal', 'refund', 'chargeback', 'return'] as const;
export type SettlementKind = (typeof SETTLEMENT_KINDS)[number];
