// What a person typed wrongly.

/** Shown with the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
