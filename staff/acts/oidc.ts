// Signing in by the company's identity provider: a challenge of ours goes there and comes back in its ID token, once,
// to the browser that asked. The answer must name the account of an existing person; it creates no people and gives no
// roles.
import { randomBytes } from 'node:crypto';
import type { Database } from '../../store/database.js';
import { insertChallenge, randomChallenge, useChallenge } from '../../store/staff/challenges.js';
import { holderOfAccount, type OidcAccount } from '../../store/staff/roster.js';
import type { Binding, IdentityProvider } from './identity-provider.js';

export interface OidcServices {
  readonly database: Database;
  readonly provider: IdentityProvider;
  /** Why the sign-in failed, without personal data. */
  readonly note: (reason: string) => void;
}

export interface AskedProvider {
  /** Where the browser goes. */
  readonly address: string;
  /** A secret that the browser keeps until it returns. */
  readonly ticket: string;
}

const TICKET = /^(chl_[0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/;
const WITHOUT_PERSON = { purpose: 'oidc', handle: null } as const;

/** `null` if the provider does not answer. */
export async function askProvider({ database, provider, note }: OidcServices): Promise<AskedProvider | null> {
  const challenge = randomChallenge();
  const state = await insertChallenge(database, { ...WITHOUT_PERSON, nonce: null }, challenge);
  const verifier = randomBytes(32).toString('base64url');
  const address = await provider.addressFor({ state, nonce: nonceOf(challenge), verifier }, note);
  return address === null ? null : { address, ticket: `${state}.${verifier}` };
}

export type OidcResult =
  /** `handle`: whose account it is; `null`: nobody's. */
  | ({ readonly kind: 'recognised'; readonly handle: string | null } & OidcAccount)
  /** The answer is for another browser, used, too old, or invalid. */
  | { readonly kind: 'not_valid' }
  | { readonly kind: 'away' };

/** Whom the provider's answer names, to the browser that has the ticket. */
export async function recognisedByProvider(
  { database, provider, note }: OidcServices,
  answer: string,
  ticket: string | undefined,
): Promise<OidcResult> {
  const binding = await bindingOf(database, answer, ticket);
  if (binding === null) return { kind: 'not_valid' };
  const recognised = await provider.recognise(answer, binding);
  switch (recognised.kind) {
    case 'away':
      note(recognised.reason);
      return { kind: 'away' };
    case 'refused':
      note(recognised.reason);
      return { kind: 'not_valid' };
    case 'recognised': {
      const account = { issuer: provider.issuer, subject: recognised.subject };
      return { kind: 'recognised', ...account, handle: await holderOfAccount(database, account) };
    }
  }
}

/**
 * What the answer must match. It is used up by one answer, valid or not. An answer to another request, which
 * any site can send a browser here with, does not use it up.
 */
async function bindingOf(database: Database, answer: string, ticket: string | undefined): Promise<Binding | null> {
  const [, state, verifier] = TICKET.exec(ticket ?? '') ?? [];
  if (state === undefined || verifier === undefined || new URLSearchParams(answer).get('state') !== state) return null;
  const asked = await useChallenge(database, state, WITHOUT_PERSON);
  return asked === null ? null : { state, verifier, nonce: nonceOf(asked.challenge) };
}

function nonceOf(challenge: Uint8Array): string {
  return Buffer.from(challenge).toString('base64url');
}
