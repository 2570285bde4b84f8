// Keeps personal data and secrets unreadable at rest and in Temporal: AES-256-GCM under a key of the operation, derived
// from the key of its purpose (keys.ts). The seal is bound to its place (places.ts), so a value that is moved to
// another row, column or operation does not open. Keyed hashes beside sealed values answer equality (lists, shared
// documents, ownership): of each value in its normal form (domain/rules/lookup-values.ts), or equal values would not
// match. A keyed hash belongs to one operation, because no rule and no list compares values of two.
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PixKeyType } from '../../domain/pix.js';
import {
  addressLookupValue,
  documentLookupValue,
  networksContaining,
  pixKeyLookupValue,
} from '../../domain/rules/lookup-values.js';
import { derivedKey, type KeyProvider } from './keys.js';
import type { Place } from './places.js';

/** The first byte of every sealed value. Another format has another version. */
const SEAL_VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A value cannot be opened: unknown key, or changed bytes. The message never contains the value. */
export class UnsealableError extends Error {
  override readonly name = 'UnsealableError';
}

export class Sealer {
  constructor(private readonly keys: KeyProvider) {}

  /** Seals bytes for one place: `version (1) | keyId length (1) | keyId | nonce (12) | tag (16) | ciphertext`. */
  sealBytes(place: Place, plain: Uint8Array): Uint8Array<ArrayBuffer> {
    const { id, key } = this.keys.current(place.purpose);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', derivedKey(key, 'seal', place.operationId), nonce);
    cipher.setAAD(boundTo(place));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    const idBytes = Buffer.from(id, 'utf8');
    const header = Buffer.from([SEAL_VERSION, idBytes.length]);
    return new Uint8Array(Buffer.concat([header, idBytes, nonce, cipher.getAuthTag(), body]));
  }

  /** The id of the key that seals now. */
  currentKeyId(): string {
    return this.keys.currentId();
  }

  /** Opens what `sealBytes` made for the same place. Throws UnsealableError. */
  openBytes(place: Place, sealed: Uint8Array): Buffer {
    const bytes = Buffer.isBuffer(sealed) ? sealed : Buffer.from(sealed);
    if (bytes[0] !== SEAL_VERSION) throw new UnsealableError('sealed in an unknown format');
    const idEnd = 2 + (bytes[1] ?? 0);
    const key = this.keys.byId(place.purpose, bytes.subarray(2, idEnd).toString('utf8'));
    if (key === undefined || bytes.length < idEnd + NONCE_BYTES + TAG_BYTES)
      throw new UnsealableError('sealed with an unknown key');
    const tagStart = idEnd + NONCE_BYTES;
    const opened = derivedKey(key, 'seal', place.operationId);
    const decipher = createDecipheriv('aes-256-gcm', opened, bytes.subarray(idEnd, tagStart));
    decipher.setAAD(boundTo(place));
    decipher.setAuthTag(bytes.subarray(tagStart, tagStart + TAG_BYTES));
    try {
      // `final` adds no bytes in this mode, but it checks the tag: it throws if the bytes or their place were changed.
      const plain = decipher.update(bytes.subarray(tagStart + TAG_BYTES));
      decipher.final();
      return plain;
    } catch {
      throw new UnsealableError('the sealed value was changed, or moved from another place');
    }
  }

  /** Seals a JSON value into a string that may cross Temporal. */
  sealJson(place: Place, value: unknown): string {
    return Buffer.from(this.sealBytes(place, Buffer.from(JSON.stringify(value), 'utf8'))).toString('base64url');
  }

  /** Opens what `sealJson` made. The caller names the type that was sealed. */
  openJson<T>(place: Place, sealed: string | Uint8Array): T {
    const bytes = typeof sealed === 'string' ? Buffer.from(sealed, 'base64url') : sealed;
    return JSON.parse(this.openBytes(place, bytes).toString('utf8')) as T;
  }

  /** A keyed proof that this gateway wrote the text: `keyId.mac`. It lives as long as its sealing key. */
  prove(operationId: string, text: string): string {
    const { id, key } = this.keys.current('orders');
    return `${id}.${proofOf(key, operationId, text).toString('base64url')}`;
  }

  /** Whether `prove` made the proof for this text and operation. */
  isProof(operationId: string, text: string, proof: string): boolean {
    const end = proof.lastIndexOf('.');
    const key = this.keys.byId('orders', proof.slice(0, Math.max(0, end)));
    if (key === undefined) return false;
    const [given, expected] = [Buffer.from(proof.slice(end + 1), 'base64url'), proofOf(key, operationId, text)];
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  /** Keyed hash for equality look-ups. Equal values of different purposes or operations have different hashes. */
  lookupHash(operationId: string, purpose: LookupPurpose, value: string): Uint8Array<ArrayBuffer> {
    const key = derivedKey(this.keys.hashKey(), 'look-up', operationId);
    return new Uint8Array(createHmac('sha256', key).update(`${purpose}\n${value}`).digest());
  }
}

export type LookupPurpose = 'document' | 'pix_key' | 'player' | 'ip' | 'device';

function proofOf(key: Buffer, operationId: string, text: string): Buffer {
  return createHmac('sha256', derivedKey(key, 'prove', operationId))
    .update(text)
    .digest();
}

/** The additional data that the tag authenticates. */
function boundTo({ operationId, identity }: Place): Buffer {
  return Buffer.from(JSON.stringify([SEAL_VERSION, operationId, ...identity]), 'utf8');
}

type Hash = Uint8Array<ArrayBuffer>;

/** Of a tax document's number: `player.document_hash`, `deposit.payer_document_hash`, lists of kind `document`. */
export function documentHash(sealer: Sealer, operationId: string, number: string): Hash {
  return sealer.lookupHash(operationId, 'document', documentLookupValue(number));
}

/** Of a PIX key: `withdrawal.destination_hash`, lists of kind `pix_key`. */
export function pixKeyHash(sealer: Sealer, operationId: string, key: string, type?: PixKeyType): Hash {
  return sealer.lookupHash(operationId, 'pix_key', pixKeyLookupValue(key, type));
}

/** Of one IP address: `withdrawal.ip_hash`. `null` for text that is not an address. */
export function ipHash(sealer: Sealer, operationId: string, address: string): Hash | null {
  const spelling = addressLookupValue(address);
  return spelling === null ? null : sealer.lookupHash(operationId, 'ip', spelling);
}

/** Of every network that contains the address: containment becomes equality, so that lists of kind `ip` stay sealed. */
export function networkHashes(sealer: Sealer, operationId: string, address: string): Hash[] {
  return networksContaining(address).map((network) => sealer.lookupHash(operationId, 'ip', network));
}

/** Of a device id: `withdrawal.device_hash`, lists of kind `device`. */
export function deviceHash(sealer: Sealer, operationId: string, deviceId: string): Hash {
  return sealer.lookupHash(operationId, 'device', deviceId);
}

/**
 * Of a player's reference, for lists of kind `player`. References are opaque and stored in clear (never an e-mail
 * address, phone or tax number), so this hash has no key, and SQL can compute it from a payment's row:
 * `sha256(convert_to('player' || chr(10) || player_ref, 'UTF8'))`.
 */
export function playerHash(externalRef: string): Hash {
  return new Uint8Array(createHash('sha256').update(`player\n${externalRef}`, 'utf8').digest());
}
