// Rate limits of the panel's expensive requests: buckets that all its processes share.
import { takeToken } from '../store/rate-buckets.js';
import { type Refusal, refuse } from './refusal.js';
import type { PanelServices } from './services.js';

interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * The limit of all sign-in attempts together: an attempt costs a statement or two, and nothing can be guessed. The edge
 * limits each address far below that, so that an attacker cannot keep the staff from signing in.
 */
const ATTEMPTS: Rate = { perSecond: 20, burst: 200 };
/** The limit of one person, who signs as fast as they can touch a key. */
const SIGNATURES: Rate = { perSecond: 1, burst: 30 };

/** `null` if the attempt to sign in may be made. */
export const attempt = (services: PanelServices) => take(services, 'sign-in', ATTEMPTS);

/** `null` if the person may request options for a signature. */
export const signature = (services: PanelServices, handle: string) => take(services, `sign:${handle}`, SIGNATURES);

async function take({ database }: PanelServices, bucket: string, rate: Rate): Promise<Refusal | null> {
  const seconds = await takeToken(database, bucket, rate);
  return seconds > 0 ? refuse('rate_limited', { retry_after_seconds: seconds }) : null;
}
