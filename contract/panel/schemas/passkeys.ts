// Passkeys: what the server asks an authenticator, and what the browser answers (WebAuthn's own JSON forms).
import { z } from 'zod';
import { PASSKEY_ACTS } from '../../../domain/staff.js';
import { instant, personsReason } from './common.js';
import { session } from './session.js';

const bytes = z
  .string()
  .max(4_000)
  .regex(/^[A-Za-z0-9_-]*$/, 'must be base64url');
const credential = {
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  authenticatorAttachment: z
    .enum(['platform', 'cross-platform'])
    .nullish()
    .transform((kind) => kind ?? undefined),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};

/** What `PublicKeyCredential.toJSON()` gives of a signature. */
const assertion = z.object({
  ...credential,
  response: z.object({
    authenticatorData: bytes,
    clientDataJSON: bytes,
    signature: bytes,
    userHandle: bytes.nullish().transform((handle) => handle ?? undefined),
  }),
});

/** The same of a new key. */
const attestation = z.object({
  ...credential,
  response: z.object({
    attestationObject: z.string().max(12_000),
    clientDataJSON: bytes,
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
});

const challengeId = z.string().regex(/^chl_[0-9a-f]{32}$/);

/** Options for the browser's own functions, as WebAuthn writes them. */
export const asked = z.object({
  challenge_id: z.string(),
  options: z.custom<{ readonly challenge: string }>((options) => typeof options === 'object' && options !== null),
});

const code = z.string().min(20).max(200);
export const codeBody = z.strictObject({ token: code });
export const signInBody = z.strictObject({ challenge_id: challengeId, response: assertion });

/** Which device it is, in the person's words. */
const keyName = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(/^[^\p{C}]*$/u, 'must be one line');
const newKey = { challenge_id: challengeId, response: attestation, name: keyName };
/** Sent with an act that is signed. */
export const proof = z.strictObject({ challenge_id: challengeId, response: assertion });
/** Without a proof only where the person has no passkey yet. */
export const addBody = z.strictObject({ ...newKey, proof: proof.optional() });
/** Of what a person does to their own keys and sessions. */
export const ownBody = z.strictObject({ proof: proof.optional() });
export const enrolBody = z.strictObject({ token: code, ...newKey });

/** A first passkey. */
export const enrolled = z.object({
  /** `null`: the passkey signs in once a second person has confirmed its fingerprint. */
  session: session.nullable(),
  /** What the second person compares. */
  fingerprint: z.string(),
});

export const passkeysAnswer = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      is_synced: z.boolean(),
      created_at: instant,
      last_used_at: instant.nullable(),
      fingerprint: z.string(),
      /** From when it signs acts; `null`: it waits for a second person. */
      signs_from: instant.nullable(),
      signs_now: z.boolean(),
      /** The last one stays where signing in needs one. */
      is_removable: z.boolean(),
    }),
  ),
});
export const passkeyParams = z.object({ id: bytes.min(16).max(1_400) });
export const changed = z.object({ changed: z.literal(true) });

/** The act that is about to be sent: what of it is signed. */
export const actToSign = z.strictObject({
  kind: z.enum(PASSKEY_ACTS),
  subject_id: z.string().max(100),
  version: z.int().min(0),
  digest: z.string().max(64).nullable(),
  reason: personsReason,
  evidence: personsReason,
});
