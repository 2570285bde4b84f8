// Waits in real time, not in the workflows', until something holds.

export async function eventually(holds: () => boolean | Promise<boolean>, what: string, timeoutMs = 15_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await holds())) {
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
