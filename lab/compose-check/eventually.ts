// Asks again until something is so.
import { setTimeout as sleep } from 'node:timers/promises';

/** Until `ask` answers something; throws what it saw last. */
export async function eventually<Value>(seconds: number, ask: () => Promise<Value | undefined>): Promise<Value> {
  let last: unknown = 'no answer';
  for (const deadline = Date.now() + seconds * 1_000; Date.now() < deadline; await sleep(500)) {
    const found = await ask().catch((error: unknown) => {
      last = error instanceof Error ? error.message : error;
      return undefined;
    });
    if (found !== undefined) return found;
  }
  throw new Error(`not within ${seconds} s: ${String(last)}`);
}
