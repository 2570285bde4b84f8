// A bounded wait for something that another process does.
import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until the answer is true or the time is over; always asks at least once. Answers whether it came true. */
export async function pollUntil(timeoutMs: number, pauseMs: number, isDone: () => Promise<boolean>): Promise<boolean> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    if (await isDone()) return true;
    if (performance.now() + pauseMs > endMs) return false;
    await sleep(pauseMs);
  }
}
