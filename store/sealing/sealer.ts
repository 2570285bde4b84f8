// Sealing keeps personal data and secrets unreadable at rest and in Temporal: AES-256-GCM with the key's id in front.
// Keyed hashes beside sealed values answer equality (lists, shared documents, ownership).
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The source of keys: the environment, a file, or a vault. Throws KeysUnavailableError if it has none. */
export interface KeyProvider {
  /** The key that new values are sealed with. */
  current(): { id: string; key: Buffer };
  /** The key of an earlier id; undefined if it is unknown. */
  byId(id: string): Buffer | undefined;
  /** The key of the look-up hashes. It never rotates: equal values must have equal hashes for ever. */
  hashKey(): Buffer;
}

/** A value cannot be opened: unknown key, or changed bytes. The message never contains the value. */
export class UnsealableError extends Error {
  override readonly name = 'UnsealableError';
}

/** The vault does not answer, and its last answer is too old: nothing is sealed or opened until it does. */
export class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError';
}

export class Sealer {
  constructor(private readonly keys: KeyProvider) {}

  /** Seals bytes: `keyId length (1) | keyId | nonce (12) | tag (16) | ciphertext`. */
  sealBytes(plain: Uint8Array): Uint8Array<ArrayBuffer> {
    const { id, key } = this.keys.current();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    const idBytes = Buffer.from(id, 'utf8');
    return new Uint8Array(Buffer.concat([Buffer.from([idBytes.length]), idBytes, nonce, cipher.getAuthTag(), body]));
  }

  /** The id of the key that seals now. */
  currentKeyId(): string {
    return this.keys.current().id;
  }

  /** Opens what `sealBytes` made. Throws UnsealableError. */
  openBytes(sealed: Uint8Array): Buffer {
    const bytes = Buffer.isBuffer(sealed) ? sealed : Buffer.from(sealed);
    const idEnd = 1 + (bytes[0] ?? 0);
    const key = this.keys.byId(bytes.subarray(1, idEnd).toString('utf8'));
    if (key === undefined || bytes.length < idEnd + NONCE_BYTES + TAG_BYTES)
      throw new UnsealableError('sealed with an unknown key');
    const tagStart = idEnd + NONCE_BYTES;
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(idEnd, tagStart));
    decipher.setAuthTag(bytes.subarray(tagStart, tagStart + TAG_BYTES));
    try {
      // `final` adds no bytes in this mode, but it checks the tag: it throws if the bytes were changed.
      const plain = decipher.update(bytes.subarray(tagStart + TAG_BYTES));
      decipher.final();
      return plain;
    } catch {
      throw new UnsealableError('the sealed value was changed');
    }
  }

  /** Seals a JSON value into a string that may cross Temporal. */
  sealJson(value: unknown): string {
    return Buffer.from(this.sealBytes(Buffer.from(JSON.stringify(value), 'utf8'))).toString('base64url');
  }

  /** Opens what `sealJson` made. The caller names the type that was sealed. */
  openJson<T>(sealed: string | Uint8Array): T {
    const bytes = typeof sealed === 'string' ? Buffer.from(sealed, 'base64url') : sealed;
    return JSON.parse(this.openBytes(bytes).toString('utf8')) as T;
  }

  /** Keyed hash for equality look-ups. Equal values of different purposes have different hashes. */
  lookupHash(purpose: 'document' | 'pix_key' | 'player' | 'ip' | 'device', value: string): Uint8Array<ArrayBuffer> {
    return new Uint8Array(createHmac('sha256', this.keys.hashKey()).update(`${purpose}\n${value}`).digest());
  }
}

/** A key provider over keys held in memory (read from the environment or a file by a `main.ts`). */
export function keysInMemory(sealing: readonly { id: string; key: Buffer }[], hashKey: Buffer): KeyProvider {
  const [first] = sealing;
  if (first === undefined) throw new RangeError('at least one sealing key is needed');
  const byId = new Map(sealing.map(({ id, key }) => [id, key]));
  return { current: () => first, byId: (id) => byId.get(id), hashKey: () => hashKey };
}
