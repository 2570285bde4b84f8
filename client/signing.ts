// Signs requests to the gateway: the canonical request and its HMAC, as pure functions of bytes.
// Clock and randomness stay outside, so every value here can be checked against test-vectors.json.
import { createHash, createHmac } from 'node:crypto';

/** The parts of a request that its signature covers. */
export interface SigningInput {
  /** HTTP method; upper-cased before signing. */
  readonly method: string;
  /** Path with the `/v1` prefix, plus `?` and the query exactly as sent. Never normalised or re-ordered. */
  readonly target: string;
  /** The raw body bytes as sent; empty for a request without a body. */
  readonly body: Uint8Array;
  /** Unix seconds. */
  readonly timestampSeconds: number;
  /** 32 lowercase hex characters from a cryptographically secure generator, new for every attempt. */
  readonly nonce: string;
}

/** The key that signs; the secret is used as the UTF-8 bytes of the string received, never decoded. */
export interface SigningKey {
  readonly keyId: string;
  readonly secret: string;
}

/** Lowercase hex SHA-256 of the bytes. */
export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * The six lines that are signed, separated by LF, with no LF at the end. Throws RangeError for input no server would
 * accept.
 */
export function canonicalRequest(input: SigningInput): string {
  if (!Number.isSafeInteger(input.timestampSeconds) || input.timestampSeconds <= 0) {
    throw new RangeError('timestampSeconds must be whole Unix seconds');
  }
  if (!/^[0-9a-f]{32}$/.test(input.nonce)) throw new RangeError('nonce must be 32 lowercase hex characters');
  // Only visible ASCII can be sent in a request line unchanged; a line feed here would forge a line of the canonical
  // request.
  if (!/^\/[\x21-\x7e]*$/.test(input.target))
    throw new RangeError('target must be a percent-encoded path starting with "/"');
  return [
    'v1',
    String(input.timestampSeconds),
    input.nonce,
    input.method.toUpperCase(),
    input.target,
    sha256Hex(input.body),
  ].join('\n');
}

/** Lowercase hex HMAC-SHA256 of the canonical request. */
function signCanonicalRequest(secret: string, canonical: string): string {
  return createHmac('sha256', Buffer.from(secret, 'utf8')).update(canonical, 'utf8').digest('hex');
}

/** The four `Svc-` headers of a signed request. */
export function signatureHeaders(key: SigningKey, input: SigningInput): Record<string, string> {
  return {
    'Svc-Key-Id': key.keyId,
    'Svc-Timestamp': String(input.timestampSeconds),
    'Svc-Nonce': input.nonce,
    'Svc-Signature': `v1=${signCanonicalRequest(key.secret, canonicalRequest(input))}`,
  };
}
