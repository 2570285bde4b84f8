// Check 6: the signature belongs to the request. A key that does not exist costs the same work.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE = /^v1=([0-9a-f]{64})$/;
/** Replace an unknown key's secret and a malformed signature, so that timing reveals nothing. */
const DUMMY_SECRET = Buffer.from('no key has this secret; it only keeps the work the same');
const DUMMY_SIGNATURE = Buffer.alloc(32);

export interface SignedRequest {
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  /** Path and query exactly as on the wire. */
  readonly target: string;
  readonly body: Uint8Array;
}

/** The six canonical lines of the specification ("Signing"), as bytes. */
export function canonicalRequest({ timestamp, nonce, method, target, body }: SignedRequest): Buffer {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  // Node decodes the request line as latin1; the same way back gives the bytes that were sent.
  return Buffer.from(['v1', timestamp, nonce, method, target, bodyHash].join('\n'), 'latin1');
}

/** Whether there is a secret and `header` is its signature of the request. Takes constant time either way. */
export function signatureMatches(
  request: SignedRequest,
  header: string | undefined,
  secret: Uint8Array | undefined,
): boolean {
  const hex = SIGNATURE.exec(header ?? '')?.[1];
  const given = hex === undefined ? DUMMY_SIGNATURE : Buffer.from(hex, 'hex');
  const expected = createHmac('sha256', secret ?? DUMMY_SECRET)
    .update(canonicalRequest(request))
    .digest();
  const equal = timingSafeEqual(expected, given);
  return equal && hex !== undefined && secret !== undefined;
}
