// Starting several things at once.

/** Waits for all, also when one fails, so that nothing is still starting after the failure is thrown. */
export async function allOrFirstFailure<T extends readonly unknown[]>(tasks: {
  readonly [K in keyof T]: Promise<T[K]>;
}): Promise<T> {
  const results = await Promise.allSettled(tasks);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as unknown as T;
}
