// Bounded waits for a change made by another process.
import { setTimeout as sleep } from 'node:timers/promises';

/** Pause between reads of a row that a callback is about to change. Each is one indexed read. */
export const ROW_POLL_MS = 60;

/** Polls until `isDone` or the timeout, at least once. Returns whether it became true. */
export async function pollUntil(timeoutMs: number, pauseMs: number, isDone: () => Promise<boolean>): Promise<boolean> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    if (await isDone()) return true;
    if (performance.now() + pauseMs > endMs) return false;
    await sleep(pauseMs);
  }
}
