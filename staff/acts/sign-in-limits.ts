// How often people may try to sign in: buckets that all processes share which people sign in to.
import type { Database } from '../../store/database.js';
import { type BucketRate, takeToken } from '../../store/rate-buckets.js';

/**
 * Attempts to sign in from one address: a tenth of all, so that nobody keeps the staff out from one. An office has one
 * address, so it is far above what people need.
 */
const FROM_ADDRESS: BucketRate = { perSecond: 2, burst: 60 };
/** Attempts with a code, passkey or account of one person. They cost nobody else's. */
const OF_PERSON: BucketRate = { perSecond: 0.2, burst: 20 };
/** All other attempts together: each costs a statement or two, and nothing can be guessed. */
const OF_NOBODY: BucketRate = { perSecond: 20, burst: 200 };

export interface SignInServices {
  readonly environment: 'sandbox' | 'production';
  readonly database: Database;
}

/**
 * How many seconds the attempt to sign in must wait: 0 if it may be made. In a sandbox only all together are limited.
 * `personOf` finds whose code or passkey it is made with; `null`: nobody's.
 */
export async function waitOfAttempt(
  services: SignInServices,
  address: string,
  personOf: () => Promise<string | null>,
): Promise<number> {
  const { environment, database } = services;
  // A sandbox's testers sign in as everybody, from one machine.
  if (environment === 'sandbox') return takeToken(database, 'sign-in', OF_NOBODY);
  const seconds = await takeToken(database, `sign-in:from:${neighbourhoodOf(address)}`, FROM_ADDRESS);
  if (seconds > 0) return seconds;
  const person = await personOf();
  return person === null ? takeToken(database, 'sign-in', OF_NOBODY) : waitOfPerson(services, person);
}

/** The same for a person who is known only after the attempt, as by an identity provider. */
export async function waitOfPerson({ environment, database }: SignInServices, person: string): Promise<number> {
  return environment === 'sandbox' ? 0 : takeToken(database, `sign-in:of:${person}`, OF_PERSON);
}

/** One machine has as many IPv6 addresses as it likes, all in one network of 64 bits. */
function neighbourhoodOf(address: string): string {
  if (!address.includes(':')) return address;
  const [before = '', after = ''] = address.split('::');
  const [first, last] = [before, after].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - (first ?? []).length - (last ?? []).length }, () => '0');
  return [...(first ?? []), ...zeros, ...(last ?? [])].slice(0, 4).join(':');
}
