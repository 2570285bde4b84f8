// Rate limits of the panel's expensive requests: buckets that all its processes share.
import { takeToken } from '../store/rate-buckets.js';
import { type Refusal, refuse } from './refusal.js';
import type { PanelServices } from './services.js';

interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * Of everybody together, whoever they are: an attempt costs a statement or two, and nothing can be guessed. Each
 * address is limited at the edge, far below, so that nobody keeps the staff from signing in.
 */
const ATTEMPTS: Rate = { perSecond: 20, burst: 200 };
/** Of one person, who signs as fast as they can touch a key. */
const SIGNATURES: Rate = { perSecond: 1, burst: 30 };

/** `null` if the attempt to sign in may be made. */
export const attempt = (services: PanelServices) => take(services, 'sign-in', ATTEMPTS);

/** `null` if the person may be asked for a signature. */
export const signature = (services: PanelServices, handle: string) => take(services, `sign:${handle}`, SIGNATURES);

async function take({ database }: PanelServices, bucket: string, rate: Rate): Promise<Refusal | null> {
  const seconds = await takeToken(database, bucket, rate);
  return seconds > 0 ? refuse('rate_limited', { retry_after_seconds: seconds }) : null;
}
