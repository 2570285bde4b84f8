// The maximum ages of an operation's secrets, and when to alert (specification, "Secret rotation").
import { type OperationClock, timeBy } from './operation-clock.js';
import { DAY_MS } from './instant.js';

/** A call key of this age raises an alert. */
export const KEY_DUE_AFTER_DAYS = 75;
/** By this age a call key must be rotated. It keeps working, because blocking an operator would stop payments. */
export const KEY_OVERDUE_AFTER_DAYS = 90;
/** The maximum age of a webhook secret. */
export const WEBHOOK_SECRET_OVERDUE_AFTER_DAYS = 90;

/** `ending`: the key has an expiry, because a successor is in use or for another reason. */
export type KeyRotation = 'fresh' | 'due' | 'overdue' | 'ending' | 'ended';

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

export interface AgingKey {
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Whether a key must be rotated. It ages in real time; its expiry comes by its operation's clock. */
export function keyRotationOf(key: AgingKey, now: Date, clock: OperationClock | null): KeyRotation {
  if (keyHasEnded(key, now, clock)) return 'ended';
  if (key.expiresAt !== null) return 'ending';
  const days = ageInDays(key.createdAt, now);
  if (days >= KEY_OVERDUE_AFTER_DAYS) return 'overdue';
  return days >= KEY_DUE_AFTER_DAYS ? 'due' : 'fresh';
}

/** Whether its calls are refused: it is revoked, or has expired by its operation's clock. */
export function keyHasEnded(
  { expiresAt, revokedAt }: Omit<AgingKey, 'createdAt'>,
  now: Date,
  clock: OperationClock | null,
): boolean {
  return revokedAt !== null || (expiresAt !== null && expiresAt.getTime() <= timeBy(clock, now.getTime()));
}
