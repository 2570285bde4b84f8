// Bounded waits: for something outside the process, and for a change that another process makes.
import { setTimeout as sleep } from 'node:timers/promises';

/** The awaited work did not finish in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** The promise's result, or TimeoutError after `timeoutMs`. The work may continue; a late failure is ignored. */
export async function bounded<T>(work: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`${what} did not answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

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
