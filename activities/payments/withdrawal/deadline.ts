// A deadline that neither a stopped process, a suspended machine nor a corrected clock extends: it has passed once
// either of two clocks says so.

export interface Clocks {
  /** The time of day: it also runs while the machine is suspended, and can be set back. */
  readonly dayMs: () => number;
  /** Never set back, but it may stand still while the machine is suspended. */
  readonly steadyMs: () => number;
}

export const CLOCKS: Clocks = { dayMs: () => Date.now(), steadyMs: () => performance.now() };

/** Whether so many milliseconds have passed since this call. */
export function deadlineIn(milliseconds: number, { dayMs, steadyMs }: Clocks): () => boolean {
  const [day, steady] = [dayMs(), steadyMs()];
  return () => dayMs() - day > milliseconds || steadyMs() - steady > milliseconds;
}
