// Every wait on something outside the process ends.

/** What was waited for did not answer in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** The promise's result, or TimeoutError after `timeoutMs`. The work itself may go on; its late failure is swallowed. */
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
