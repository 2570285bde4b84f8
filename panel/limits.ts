// Rate limits of the panel's expensive requests: buckets that all its processes share.
import { takeToken } from '../store/rate-buckets.js';
import { type Refusal, refuse } from './refusal.js';
import type { PanelServices } from './services.js';

interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * Attempts to sign in from one address: a tenth of all, so that nobody keeps the staff out from one. An office has one
 * address, so it is far above what people need.
 */
const FROM_ADDRESS: Rate = { perSecond: 2, burst: 60 };
/** Attempts with a code or passkey of one person. They cost nobody else's. */
const OF_PERSON: Rate = { perSecond: 0.2, burst: 20 };
/** All other attempts together: each costs a statement or two, and nothing can be guessed. */
const OF_NOBODY: Rate = { perSecond: 20, burst: 200 };
/** The limit of one person, who signs as fast as they can touch a key. */
const SIGNATURES: Rate = { perSecond: 1, burst: 30 };

/**
 * `null` if the attempt to sign in may be made; in a sandbox only all together are limited. `personOf` finds whose code
 * or passkey it is made with; `null`: nobody's.
 */
export async function attempt(
  services: PanelServices,
  address: string,
  personOf: () => Promise<string | null> = () => Promise.resolve(null),
): Promise<Refusal | null> {
  // A sandbox's testers sign in as everybody, from one machine.
  if (services.environment === 'sandbox') return take(services, 'sign-in', OF_NOBODY);
  const refusal = await take(services, `sign-in:from:${neighbourhoodOf(address)}`, FROM_ADDRESS);
  if (refusal !== null) return refusal;
  const person = await personOf();
  return person === null ? take(services, 'sign-in', OF_NOBODY) : take(services, `sign-in:of:${person}`, OF_PERSON);
}

/** One machine has as many IPv6 addresses as it likes, all in one network of 64 bits. */
function neighbourhoodOf(address: string): string {
  if (!address.includes(':')) return address;
  const [before = '', after = ''] = address.split('::');
  const [first, last] = [before, after].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - (first ?? []).length - (last ?? []).length }, () => '0');
  return [...(first ?? []), ...zeros, ...(last ?? [])].slice(0, 4).join(':');
}

/** `null` if the person may request options for a signature. */
export const signature = (services: PanelServices, handle: string) => take(services, `sign:${handle}`, SIGNATURES);

async function take({ database }: PanelServices, bucket: string, rate: Rate): Promise<Refusal | null> {
  const seconds = await takeToken(database, bucket, rate);
  return seconds > 0 ? refuse('rate_limited', { retry_after_seconds: seconds }) : null;
}
