// Bounded waits for something that another process does.
import { setTimeout as sleep } from 'node:timers/promises';

/** Pause between reads of a row that a callback is about to change: one indexed read each. */
export const ROW_POLL_MS = 60;

/** Asks until the answer is true or the time is over; always asks at least once. Answers whether it came true. */
export async function pollUntil(timeoutMs: number, pauseMs: number, isDone: () => Promise<boolean>): Promise<boolean> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    if (await isDone()) return true;
    if (performance.now() + pauseMs > endMs) return false;
    await sleep(pauseMs);
  }
}
