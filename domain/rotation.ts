// How old the secrets of an operation may grow, and when to say so (specification, "Secret rotation").

/** A call key of this age raises an alert. */
export const KEY_DUE_AFTER_DAYS = 75;
/** By this age a call key has to be rotated. It goes on working: cutting an operator off would stop payments. */
export const KEY_OVERDUE_AFTER_DAYS = 90;
/** How old a webhook secret may become. */
export const WEBHOOK_SECRET_OVERDUE_AFTER_DAYS = 90;

/** `ending`: a successor is in use, or the key was given an end otherwise. */
export type KeyRotation = 'fresh' | 'due' | 'overdue' | 'ending';

const DAY_MS = 86_400_000;

/** Full days since the secret was made. */
export function ageInDays(createdAt: Date, now: Date): number {
  return Math.floor((now.getTime() - createdAt.getTime()) / DAY_MS);
}

/** Whether an active key has to be rotated. */
export function keyRotationOf(
  key: { readonly createdAt: Date; readonly expiresAt: Date | null },
  now: Date,
): KeyRotation {
  if (key.expiresAt !== null) return 'ending';
  const days = ageInDays(key.createdAt, now);
  if (days >= KEY_OVERDUE_AFTER_DAYS) return 'overdue';
  return days >= KEY_DUE_AFTER_DAYS ? 'due' : 'fresh';
}
