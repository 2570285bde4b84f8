// Signs a report with Ed25519 over its RFC 8785 bytes, and verifies it: nobody changes a word of it unseen.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import { sha256Hex } from '../../client/signing.js';
import { reportSchema } from './report.js';
import type { Report } from './report.js';

export const signedReportSchema = z.strictObject({
  report: reportSchema,
  signature: z.strictObject({
    algorithm: z.literal('Ed25519'),
    /** The first 16 hex characters of the SHA-256 of the public key (SPKI, DER). A hint, not a proof. */
    key: z.string().regex(/^[0-9a-f]{16}$/),
    /** Base64url. */
    value: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
  }),
});

export type SignedReport = z.output<typeof signedReportSchema>;

export interface KeyPair {
  /** PKCS #8, PEM. */
  readonly privatePem: string;
  /** SPKI, PEM. */
  readonly publicPem: string;
}

/** A new key pair for reports. */
export function newReportKey(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

/** Signs a report. Throws if the key is no Ed25519 private key. */
export function signReport(report: Report, privatePem: string): SignedReport {
  const key = ed25519(createPrivateKey(privatePem));
  return {
    report,
    signature: {
      algorithm: 'Ed25519',
      key: keyHint(createPublicKey(key)),
      value: sign(null, signedBytes(report), key).toString('base64url'),
    },
  };
}

/** Whether the report is as the holder of this key signed it. Throws if the key is no Ed25519 public key. */
export function isSignedBy({ report, signature }: SignedReport, publicPem: string): boolean {
  const key = ed25519(createPublicKey(publicPem));
  return verify(null, signedBytes(report), key, Buffer.from(signature.value, 'base64url'));
}

/** The hint in a signature, for people who compare it with the key that they were given. */
function keyHint(publicKey: KeyObject): string {
  return sha256Hex(publicKey.export({ type: 'spki', format: 'der' })).slice(0, 16);
}

function signedBytes(report: Report): Buffer {
  return Buffer.from(canonicalize(report) ?? '', 'utf8');
}

function ed25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('not an Ed25519 key');
  return key;
}
