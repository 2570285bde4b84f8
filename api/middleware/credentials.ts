// What a caller proves itself with: the form of its headers, the key's secret, and its client certificate. The
// details of refusals come from the request alone: an unknown key and a wrong signature get the same text.
import { CLOCK_WINDOW_SECONDS } from './limits.js';
import type { IncomingMessage } from 'node:http';
import { comesFrom, type TrustedProxies } from '../../platform/http/request.js';
import type { Database } from '../../store/database.js';
import { sealedKeyById } from '../../store/operations/keys.js';
import { placeOf } from '../../store/sealing/places.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { bounded } from '../../platform/http/bounded.js';

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

export interface TrustedEdge extends TrustedProxies {
  /** The header in which it writes the operation of the client's certificate; undefined: it checks none. */
  readonly operationHeader?: string | undefined;
}

/**
 * Whether the client's certificate was issued to this operation, as the edge read it. A request that bypassed the edge
 * has no certificate.
 */
export function certificateBelongsTo(
  operationId: string,
  request: IncomingMessage,
  edge: TrustedEdge | undefined,
): boolean {
  if (edge?.operationHeader === undefined) return true;
  return comesFrom(request, edge.proxies) && request.headers[edge.operationHeader] === operationId;
}

export interface Credential {
  readonly keyId: string;
  readonly operationId: string;
  readonly secret: Uint8Array;
}

const KNOWN_TTL_MS = 55_000;
/** Short, because the key may be created right after someone tried it. */
const UNKNOWN_TTL_MS = 2_000;
const MAX_ENTRIES = 10_000;
const LOAD_TIMEOUT_MS = 3_000;

interface Entry {
  readonly until: number;
  readonly credential: Promise<Credential | undefined>;
}

export interface CredentialResult {
  readonly credential: Credential | undefined;
  /** Served from the cache, without a load. */
  readonly cached: boolean;
}

export interface Credentials {
  /** The credential of a key id, or undefined. Rejects when the database or the vault does not answer. */
  find(keyId: string): Promise<CredentialResult>;
  /** A secret that was found before, however long ago, without a load; undefined when this process forgot or never knew. */
  remembered(keyId: string): Promise<Credential | undefined>;
  /** Does the work of a cache miss and discards the result (`evenOut` in verify.ts). */
  load(keyId: string): Promise<void>;
}

/**
 * A bounded cache in front of `load`, for less than a minute. Only what never changes is cached: revocation, scopes,
 * the operation's status and the allowlist are read with every request (authentication.ts). Concurrent lookups of one
 * key share one load.
 */
export function cachedCredentials(
  load: (keyId: string) => Promise<Credential | undefined>,
  nowMs: () => number,
): Credentials {
  // Apart, so that invented key ids push no real key out.
  const [known, unknown] = [new Map<string, Entry>(), new Map<string, Entry>()];
  const remember = (entries: Map<string, Entry>, keyId: string, entry: Entry) => {
    entries.delete(keyId);
    entries.set(keyId, entry);
    // A Map keeps insertion order: the first entry is the oldest.
    for (const oldest of entries.keys()) {
      if (entries.size <= MAX_ENTRIES) break;
      entries.delete(oldest);
    }
  };
  return {
    async load(keyId) {
      await load(keyId);
    },
    async remembered(keyId) {
      return (await known.get(keyId)?.credential.catch(() => undefined)) ?? undefined;
    },
    async find(keyId) {
      const cached = [known.get(keyId), unknown.get(keyId)].find(
        (entry) => entry !== undefined && entry.until > nowMs(),
      );
      if (cached !== undefined) return { credential: await cached.credential, cached: true };
      const credential = load(keyId);
      const loading = { until: nowMs() + KNOWN_TTL_MS, credential };
      remember(unknown, keyId, loading);
      credential.then(
        (found) => {
          if (unknown.get(keyId) !== loading) return;
          unknown.delete(keyId);
          if (found === undefined) remember(unknown, keyId, { until: nowMs() + UNKNOWN_TTL_MS, credential });
          else remember(known, keyId, loading);
        },
        () => unknown.get(keyId) === loading && unknown.delete(keyId),
      );
      return { credential: await credential, cached: false };
    },
  };
}

/** The cache key of the dummy, because no row has an empty key. */
const NO_KEY = placeOf('api_key.secret_sealed', '', { key_id: '' });

/** Reads a key from Postgres and decrypts its secret. An unknown key costs the same: a dummy is decrypted instead. */
export function loadCredential(database: Database, sealer: Sealer): (keyId: string) => Promise<Credential | undefined> {
  // Created on first use: the api must be able to start before its vault.
  let dummy: Uint8Array<ArrayBuffer> | undefined;
  return async (keyId) => {
    dummy ??= sealer.sealBytes(NO_KEY, Buffer.alloc(48));
    const row = await bounded(sealedKeyById(database, keyId), LOAD_TIMEOUT_MS, 'Postgres');
    const place = row === null ? NO_KEY : placeOf('api_key.secret_sealed', row.operationId, { key_id: row.keyId });
    const secret = sealer.openBytes(place, row?.secretSealed ?? dummy);
    return row === null ? undefined : { keyId: row.keyId, operationId: row.operationId, secret };
  };
}
