// Waits for an answer for a limited time.

/** The answer; `null` if it does not come in time. A failure that comes in time is thrown. */
export async function within<Answer>(milliseconds: number, answer: Promise<Answer>): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds);
  });
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
}
