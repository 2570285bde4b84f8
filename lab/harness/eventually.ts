// Waits in real time until something holds. The workflows' own time may differ.

/** Long enough for a machine that is busy with other things. */
const TIMEOUT_MS = 45_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;

/** Calls `look` until it returns something other than false, null or undefined. @returns what it found */
export async function eventually<Found>(
  look: () => Found | Promise<Found>,
  what: string,
  timeoutMs = TIMEOUT_MS,
): Promise<Exclude<Found, false | null | undefined>> {
  const end = performance.now() + timeoutMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.2, LONGEST_PAUSE_MS)) {
    const found = await look();
    if (found !== false && found !== null && found !== undefined)
      return found as Exclude<Found, false | null | undefined>;
    if (performance.now() > end) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** The promise's result, if it comes in time. */
export async function within<Result>(milliseconds: number, promise: Promise<Result>, what: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${milliseconds} ms: ${what}`)), milliseconds);
  });
  return Promise.race([promise, tooLate]).finally(() => clearTimeout(timer));
}
