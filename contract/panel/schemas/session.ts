// Sessions: who is signed in, with which roles, for how long.
import { z } from 'zod';
import { PANEL_MEANS, STAFF_MEANS, ROLES, type StaffMeans } from '../../../domain/staff.js';
import { instant, operationName } from './common.js';

export const LANGUAGES = ['pt-BR', 'en'] as const;

/** The token is the part after `#` of a one-time link: no server log sees it. */
export const signIn = z.strictObject({ token: z.string().min(20).max(200) });

/** How people sign in here. */
export const signInMeans = z.object({ means: z.array(z.enum(PANEL_MEANS)) });

/** Where the browser goes to sign in at the company's identity provider. */
export const providerAddress = z.object({ address: z.string() });
/** What the provider put behind `?` of the address to which the browser came back. */
export const providerAnswer = z.strictObject({ answer: z.string().min(1).max(8_000) });

export const session = z.object({
  handle: z.string(),
  /** `operation` null: in every one. */
  roles: z.array(z.object({ role: z.enum(ROLES), operation: operationName.nullable() })),
  /** By what the browser asks for; a page may let the person choose another. */
  language: z.enum(LANGUAGES),
  environment: z.enum(['sandbox', 'production']),
  /** Acts that money, access or rules follow are signed with a passkey. */
  signs_acts: z.boolean(),
  /** A session that the identity provider began changes no passkeys. */
  changes_passkeys: z.boolean(),
  /** Without a request until then, it ends. */
  idle_until: instant,
  /** It ends then in any case. */
  ends_at: instant,
  limits: z.object({
    /** How long a case should wait for its decision at most. */
    decide_within_seconds: z.int(),
    claim_seconds: z.int(),
    reveal_seconds: z.int(),
  }),
});

/** The person's own sessions that have not ended. */
export const sessionsAnswer = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      means: z.enum(STAFF_MEANS as [StaffMeans, ...StaffMeans[]]),
      began_at: instant,
      last_seen_at: instant,
      /** The one that asks. */
      is_current: z.boolean(),
    }),
  ),
});
export const sessionParams = z.object({ id: z.string().regex(/^ses_[0-9a-f-]{36}$/) });
/** For `gateway staff login`, once. */
export const commandCode = z.object({ sign_in_code: z.string(), expires_at: instant });
export const sessionEnded = z.object({ ended: z.boolean() });

export const signedOut = z.object({ signed_out: z.literal(true) });
