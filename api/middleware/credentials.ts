// The secrets of keys, kept for less than a minute. Only what never changes is cached: whether a key is revoked, its
// scopes, its operation's status and its allowlist are read fresh with every request (admission.ts).
import type { Database } from '../../store/database.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { bounded } from './bounded.js';

export interface Credential {
  readonly keyId: string;
  readonly operationId: string;
  readonly secret: Uint8Array;
}

const KNOWN_TTL_MS = 55_000;
/** Short, because a key may be created right after somebody tried it. */
const UNKNOWN_TTL_MS = 2_000;
const MAX_ENTRIES = 10_000;
const LOAD_TIMEOUT_MS = 3_000;

interface Entry {
  readonly until: number;
  readonly credential: Promise<Credential | undefined>;
}

export interface Found {
  readonly credential: Credential | undefined;
  /** Answered from memory: nothing was loaded for this question. */
  readonly cached: boolean;
}

export interface Credentials {
  /** The credential of a key id, or undefined; rejects when the database or the vault does not answer. */
  find(keyId: string): Promise<Found>;
  /** The work of a question that memory could not answer, without its result: see `evenOut` of verify.ts. */
  load(keyId: string): Promise<void>;
}

/** A bounded cache in front of `load`; parallel questions about one key are one. */
export function cachedCredentials(
  load: (keyId: string) => Promise<Credential | undefined>,
  nowMs: () => number,
): Credentials {
  const entries = new Map<string, Entry>();
  const remember = (keyId: string, entry: Entry) => {
    entries.delete(keyId);
    entries.set(keyId, entry);
    // A Map keeps the order of insertion: the first is the oldest.
    for (const oldest of entries.keys()) {
      if (entries.size <= MAX_ENTRIES) break;
      entries.delete(oldest);
    }
  };
  return {
    async load(keyId) {
      await load(keyId);
    },
    async find(keyId) {
      const cached = entries.get(keyId);
      if (cached !== undefined && cached.until > nowMs()) return { credential: await cached.credential, cached: true };
      const credential = load(keyId);
      remember(keyId, { until: nowMs() + KNOWN_TTL_MS, credential });
      credential.then(
        (found) =>
          found === undefined &&
          entries.get(keyId)?.credential === credential &&
          remember(keyId, { until: nowMs() + UNKNOWN_TTL_MS, credential }),
        () => entries.get(keyId)?.credential === credential && entries.delete(keyId),
      );
      return { credential: await credential, cached: false };
    },
  };
}

/** Reads a key from Postgres and opens its secret. An unknown key costs the same: something is opened for it, too. */
export function loadCredential(database: Database, sealer: Sealer): (keyId: string) => Promise<Credential | undefined> {
  // Made when it is first needed: the api starts while its vault is still away.
  let dummy: Uint8Array<ArrayBuffer> | undefined;
  return async (keyId) => {
    dummy ??= sealer.sealBytes(Buffer.alloc(48));
    const select = { keyId: true, operationId: true, secretSealed: true };
    const row = await bounded(database.apiKey.findUnique({ where: { keyId }, select }), LOAD_TIMEOUT_MS, 'Postgres');
    const secret = sealer.openBytes(row?.secretSealed ?? dummy);
    return row === null ? undefined : { keyId: row.keyId, operationId: row.operationId, secret };
  };
}
