// Bearer tokens by client credentials. They carry their own proof, so a restart forgets none.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { SimulatedAccount } from '../../platform/config/simulator.js';

export const TOKEN_LIFETIME_SECONDS = 3_600;

const sign = (account: SimulatedAccount, text: string) =>
  createHmac('sha256', account.clientSecret).update(`token ${account.clientId} ${text}`).digest('base64url');

/** A token of one client, good for an hour, which carries its scopes. */
export function issueToken(account: SimulatedAccount, scopes: readonly string[], nowMs: number): string {
  const until = Math.floor(nowMs / 1_000) + TOKEN_LIFETIME_SECONDS;
  const text = `${until}.${crypto.randomUUID()}.${Buffer.from(scopes.join(' ')).toString('base64url')}`;
  return `${text}.${sign(account, text)}`;
}

/** The scopes of the live token of this client in an `Authorization` header; `null` without one. */
export function scopesOfToken(
  account: SimulatedAccount,
  header: string | undefined,
  nowMs: number,
): readonly string[] | null {
  const parts = /^Bearer ((\d{1,12})\.[0-9a-f-]{36}\.([\w-]*))\.([\w-]{43})$/.exec(header ?? '');
  if (!parts) return null;
  const isLive = sameText(parts[4]!, sign(account, parts[1]!)) && Number(parts[2]) * 1_000 > nowMs;
  return isLive ? Buffer.from(parts[3]!, 'base64url').toString().split(' ') : null;
}

/** Reads HTTP Basic credentials, each part percent-encoded (RFC 6749, 2.3.1). */
export function basicCredentials(header: string | undefined): { clientId: string; clientSecret: string } | null {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/.exec(header ?? '')?.[1];
  if (encoded === undefined) return null;
  const [clientId, clientSecret, ...more] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (clientId === undefined || clientSecret === undefined || more.length > 0) return null;
  try {
    return { clientId: decodeURIComponent(clientId), clientSecret: decodeURIComponent(clientSecret) };
  } catch {
    return null;
  }
}

/** Whether credentials are the client's. */
export function isClient(account: SimulatedAccount, given: { clientId: string; clientSecret: string }): boolean {
  return sameText(given.clientId, account.clientId ?? '') && sameText(given.clientSecret, account.clientSecret);
}

function sameText(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
