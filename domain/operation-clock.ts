// The clock of an operation of the sandbox: real time, moved ahead or standing still, so that testers meet in seconds
// what takes weeks. In production every operation's time is real time.

export interface OperationClock {
  /** Rises with every change: who is told of an older one ignores it. */
  readonly revision: number;
  /** By how much it is ahead of real time, while it runs. Behind, after it has stood still. */
  readonly offsetMs: number;
  /** RFC 3339: where it stands still; `null` while it runs. */
  readonly frozenAt: string | null;
}

/** What the clock shows, in milliseconds since 1970. `null` is real time. */
export function timeBy(clock: OperationClock | null | undefined, realMs: number): number {
  if (clock == null) return realMs;
  return clock.frozenAt === null ? realMs + clock.offsetMs : Date.parse(clock.frozenAt);
}

/** The later of two states of one operation's clock. */
export function laterClock(
  a: OperationClock | null | undefined,
  b: OperationClock | null | undefined,
): OperationClock | null {
  if (a == null || b == null) return a ?? b ?? null;
  return a.revision >= b.revision ? a : b;
}

/** How far ahead of real time it can be set. */
export const MOST_DAYS_AHEAD = 366;
