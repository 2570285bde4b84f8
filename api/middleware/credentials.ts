// Key secrets, used for less than a minute without being read again. Only what never changes is cached. Revocation,
// scopes, the operation's status and the allowlist are read with every request (authentication.ts).
import type { Database } from '../../store/database.js';
import { sealedKeyById } from '../../store/operations/keys.js';
import { placeOf } from '../../store/sealing/places.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { bounded } from '../../platform/http/bounded.js';

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

/** A bounded cache in front of `load`. Concurrent lookups of one key share one load. */
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
