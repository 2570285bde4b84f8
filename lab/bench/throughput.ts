// How much gets done when so many are at it at once.

export interface Rate {
  readonly perSecond: number;
  readonly done: number;
  readonly failed: number;
}

/** Completions per second of `atOnce` loops over that time. Work that fails, or ends after it, does not count. */
export async function rateOf(work: () => Promise<unknown>, atOnce: number, seconds: number): Promise<Rate> {
  const end = performance.now() + seconds * 1_000;
  let inTime = 0;
  let done = 0;
  let failed = 0;
  const loop = async () => {
    while (performance.now() < end) {
      const succeeded = await work().then(
        () => true,
        () => false,
      );
      if (succeeded) done += 1;
      else failed += 1;
      if (succeeded && performance.now() < end) inTime += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  return { perSecond: inTime / seconds, done, failed };
}
