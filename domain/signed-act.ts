// What a person signs with a passkey: exactly what is stored and performed, and nothing that a page could misrepresent.
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { PasskeyActKind } from './staff.js';

export interface SignedAct {
  readonly kind: PasskeyActKind;
  /** The payment, the request, the change of rules, or the mark of the passkey that is added or removed. */
  readonly subjectId: string;
  /** The payment's version that the person saw; what a change of rules is based on; 0 for every other act. */
  readonly subjectVersion: number;
  /** The digest of the report that the person approves. */
  readonly subjectDigest: string | null;
  readonly reason: string;
  readonly evidence: string;
}

/** The authenticator's challenge: the SHA-256 of the act's canonical JSON (RFC 8785), of its person and of a nonce. */
export function challengeOf(act: SignedAct, handle: string, nonce: string): Uint8Array<ArrayBuffer> {
  const { kind, subjectId, subjectVersion, subjectDigest, reason, evidence } = act;
  const signed = { kind, subjectId, subjectVersion, subjectDigest, reason, evidence, handle, nonce };
  const text = canonicalize(signed);
  if (text === undefined) throw new TypeError('an act cannot be written as JSON');
  return Uint8Array.from(createHash('sha256').update(text).digest());
}

/** A passkey in an act on it: the SHA-256 of its credential's id, in hex. Ids may be longer than an act's subject. */
export function markOfPasskey(credentialId: string): string {
  return createHash('sha256').update(credentialId).digest('hex');
}

/** What two people compare of a passkey: the SHA-256 of its public key (COSE) in hex, in groups of four. */
export function fingerprintOf(publicKey: Uint8Array): string {
  const digest = createHash('sha256').update(publicKey).digest('hex');
  return digest.match(/.{4}/g)?.join(' ') ?? '';
}

/** The proof that the person signed the act. All values except the nonce are base64url. */
export interface ActSignature {
  /** The passkey. */
  readonly credentialId: string;
  readonly authenticatorData: string;
  readonly clientData: string;
  readonly signature: string;
  /** Part of the challenge. */
  readonly nonce: string;
}
