// Waits in real time, not in the workflows', until something holds.

/** Looks again and again until it finds something: anything but false, null or undefined. @returns what it found */
export async function eventually<Found>(
  look: () => Found | Promise<Found>,
  what: string,
  timeoutMs = 15_000,
): Promise<Exclude<Found, false | null | undefined>> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== false && found !== null && found !== undefined)
      return found as Exclude<Found, false | null | undefined>;
    if (performance.now() > end) throw new Error(`did not come about in ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The promise's result, if it comes in time. */
export async function within<Result>(milliseconds: number, promise: Promise<Result>, what: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not come about in ${milliseconds} ms: ${what}`)), milliseconds);
  });
  return Promise.race([promise, tooLate]).finally(() => clearTimeout(timer));
}
