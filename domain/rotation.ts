// The maximum ages of an operation's secrets, and when to alert (specification, "Secret rotation").

/** A call key of this age raises an alert. */
export const KEY_DUE_AFTER_DAYS = 75;
/** By this age a call key must be rotated. It keeps working, because blocking an operator would stop payments. */
export const KEY_OVERDUE_AFTER_DAYS = 90;
/** The maximum age of a webhook secret. */
export const WEBHOOK_SECRET_OVERDUE_AFTER_DAYS = 90;

/** `ending`: the key has an expiry, because a successor is in use or for another reason. */
export type KeyRotation = 'fresh' | 'due' | 'overdue' | 'ending';

const DAY_MS = 86_400_000;

/** A certificate of 90 days is renewed after 60; a shorter one after the same share of its lifetime. */
const CERTIFICATE_RENEWAL_PART = 60 / 90;

/** When a client certificate should be renewed. */
export function certificateRenewalFrom(issuedAt: Date, notAfter: Date): Date {
  return new Date(issuedAt.getTime() + (notAfter.getTime() - issuedAt.getTime()) * CERTIFICATE_RENEWAL_PART);
}

/** Full days since the secret was created. */
export function ageInDays(createdAt: Date, now: Date): number {
  return Math.floor((now.getTime() - createdAt.getTime()) / DAY_MS);
}

/** Whether an active key must be rotated. */
export function keyRotationOf(
  key: { readonly createdAt: Date; readonly expiresAt: Date | null },
  now: Date,
): KeyRotation {
  if (key.expiresAt !== null) return 'ending';
  const days = ageInDays(key.createdAt, now);
  if (days >= KEY_OVERDUE_AFTER_DAYS) return 'overdue';
  return days >= KEY_DUE_AFTER_DAYS ? 'due' : 'fresh';
}
