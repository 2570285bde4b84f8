// A timeout for every wait on something outside the process.

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
