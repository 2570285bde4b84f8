// Error details for signature headers, from the request alone. Nothing here depends on whether the key exists: an
// unknown key and a wrong signature get the same text.
import { CLOCK_WINDOW_SECONDS } from './limits.js';

type Environment = 'sandbox' | 'production';

const KEY_ID = { sandbox: /^key_test_[A-Za-z0-9]{1,64}$/, production: /^key_live_[A-Za-z0-9]{1,64}$/ } as const;
const PREFIX = { sandbox: 'key_test_', production: 'key_live_' } as const;
const TIMESTAMP = /^(?:0|[1-9][0-9]{0,14})$/;
const NONCE = /^[0-9a-f]{32}$/;
const SIGNATURE = /^v1=[0-9a-f]{64}$/;

/** What is wrong with the key id; `undefined` when it is well formed and of this environment. */
export function keyIdFault(keyId: string | undefined, environment: Environment): string | undefined {
  if (keyId === undefined) return 'Svc-Key-Id is missing.';
  if (KEY_ID[environment].test(keyId)) return undefined;
  const other = environment === 'sandbox' ? 'production' : 'sandbox';
  if (keyId.startsWith(PREFIX[other]))
    return (
      `Svc-Key-Id is of ${other === 'sandbox' ? 'the sandbox' : 'production'}; keys of this environment begin with ` +
      `${PREFIX[environment]}.`
    );
  return `Svc-Key-Id must be ${PREFIX[environment]} and 1 to 64 letters and digits.`;
}

/**
 * What is wrong with the timestamp; `undefined` when it is canonical and within the window. The texts contain no time,
 * so that equal faults get equal bytes; the `Date` header shows the clock.
 */
export function timestampFault(timestamp: string | undefined, nowSeconds: number): string | undefined {
  if (timestamp === undefined) return 'Svc-Timestamp is missing.';
  if (!TIMESTAMP.test(timestamp)) {
    return 'Svc-Timestamp must be Unix seconds: digits only, without sign or leading zero, such as 1795262400.';
  }
  const ahead = Number(timestamp) - nowSeconds;
  if (Math.abs(ahead) <= CLOCK_WINDOW_SECONDS) return undefined;
  if (/^[0-9]{13}$/.test(timestamp)) {
    return 'Svc-Timestamp looks like milliseconds; it must be Unix seconds, such as 1795262400.';
  }
  const direction = ahead > 0 ? 'ahead of' : 'behind';
  return (
    `Svc-Timestamp is more than ${CLOCK_WINDOW_SECONDS} s ${direction} the server’s clock, ` +
    'which the Date header shows.'
  );
}

/** What is wrong with the nonce; `undefined` when it is well formed. */
export function nonceFault(nonce: string | undefined): string | undefined {
  if (nonce === undefined) return 'Svc-Nonce is missing.';
  return NONCE.test(nonce)
    ? undefined
    : 'Svc-Nonce must be 32 lower-case hex characters (0-9 a-f), new for every request.';
}

/** What is wrong with the signature's form; `undefined` when it is well formed, matching or not. */
export function signatureFormFault(signature: string | undefined): string | undefined {
  if (signature === undefined) return 'Svc-Signature is missing.';
  return SIGNATURE.test(signature) ? undefined : 'Svc-Signature must be v1= and 64 lower-case hex characters.';
}

/** Path prefix of the sandbox's signing aid (api/reference/signing-aid.ts). */
export const SIGNING_AID = '/docs/signing';

/** Detail for a well-formed signature that does not match. The sandbox adds how to find the line that differs. */
export const MISMATCH: Readonly<Record<Environment, string | undefined>> = {
  production: undefined,
  sandbox:
    'The signature is not that of this request, or there is no such key. One of the six signed lines ' +
    'differs: v1, Svc-Timestamp, Svc-Nonce, the method, the path with its query, ' +
    `the SHA-256 of the body. To see which, put ${SIGNING_AID} in front of the path and send the same request: ` +
    `it answers the six lines as the server reads them, and its time.`,
};
