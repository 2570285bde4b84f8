// Rate limits of the panel's expensive requests: buckets that all its processes share.
import { waitOfAttempt, waitOfPerson } from '../staff/acts/sign-in-limits.js';
import { type BucketRate, takeToken } from '../store/rate-buckets.js';
import { type Refusal, refuse } from './refusal.js';
import type { PanelServices } from './services.js';

/** The limit of one person, who signs as fast as they can touch a key. */
const SIGNATURES: BucketRate = { perSecond: 1, burst: 30 };

/** The limit of one person who tries thresholds. */
const TRIALS: BucketRate = { perSecond: 0.2, burst: 6 };

/**
 * `null` if the attempt to sign in may be made. `personOf` finds whose code or passkey it is made with; `null`:
 * nobody's.
 */
export async function attempt(
  services: PanelServices,
  address: string,
  personOf: () => Promise<string | null> = () => Promise.resolve(null),
): Promise<Refusal | null> {
  return limited(await waitOfAttempt(services, address, personOf));
}

/** `null` if this person may sign in now; known only after the attempt, as by an identity provider. */
export async function attemptOf(services: PanelServices, person: string): Promise<Refusal | null> {
  return limited(await waitOfPerson(services, person));
}

/** `null` if the person may request options for a signature. */
export const signature = (services: PanelServices, handle: string) => take(services, `sign:${handle}`, SIGNATURES);

/** `null` if the person may try thresholds: each trial decides thousands of payments again. */
export const trial = (services: PanelServices, handle: string) => take(services, `trial:${handle}`, TRIALS);

async function take({ database }: PanelServices, bucket: string, rate: BucketRate): Promise<Refusal | null> {
  return limited(await takeToken(database, bucket, rate));
}

function limited(seconds: number): Refusal | null {
  return seconds > 0 ? refuse('rate_limited', { retry_after_seconds: seconds }) : null;
}
