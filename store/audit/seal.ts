// Seals of the audit trail. A seal signs the hashes of the entries since the seal before it, and that seal, with a key
// that the database does not have. The owner of the database can rewrite entries, but not their seals.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { FIRST_HASH } from './audit.js';

export interface Seal {
  /** 1 for the first, without gaps. */
  readonly number: bigint;
  /** The last entry that it covers. */
  readonly sequence: bigint;
  /** The hashes of the entries since the seal before, in order. */
  readonly hashes: readonly string[];
  /** The digest of the seal before. */
  readonly previous: string;
  readonly sealedAt: Date;
  readonly keyId: string;
  /** Ed25519 over everything above, in base64. */
  readonly signature: string;
}

/** A seal before it is signed. */
export type SealContent = Omit<Seal, 'keyId' | 'signature'>;

/** The first seal's value for the digest of the previous one. */
export const NO_SEAL = FIRST_HASH;

/** The first entry that a seal covers. */
export const firstSequence = ({ sequence, hashes }: Pick<Seal, 'sequence' | 'hashes'>) =>
  sequence - BigInt(hashes.length) + 1n;

function textOf({ number, sequence, hashes, previous, sealedAt, keyId }: Omit<Seal, 'signature'>): string {
  return ['audit seal 1', number, sequence, sealedAt.toISOString(), keyId, previous, ...hashes].join('\n');
}

/** The digest by which the next seal refers to this one. */
export function digestOf(seal: Seal): string {
  return createHash('sha256')
    .update(`${textOf(seal)}\n${seal.signature}`)
    .digest('hex');
}

/** Makes seals: only the processes that seal hold one. */
export interface SealSigner {
  readonly keyId: string;
  /** 32 bytes. */
  readonly publicKey: Buffer;
  seal(content: SealContent): Seal;
}

// The DER prefix of the 32 bytes of a key (RFC 8410).
const PRIVATE_KEY = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY = Buffer.from('302a300506032b6570032100', 'hex');

const keyIdOf = (publicKey: Uint8Array) => createHash('sha256').update(publicKey).digest('hex').slice(0, 16);

/** @param seed 32 random bytes */
export function createSealSigner(seed: Uint8Array): SealSigner {
  const privateKey = createPrivateKey({ key: Buffer.concat([PRIVATE_KEY, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_KEY.length);
  const keyId = keyIdOf(publicKey);
  return {
    keyId,
    publicKey,
    seal(content) {
      const unsigned = { ...content, keyId };
      return { ...unsigned, signature: sign(null, Buffer.from(textOf(unsigned)), privateKey).toString('base64') };
    },
  };
}

/** The public keys that verify seals: the current one and those before it. */
export class SealKeys {
  readonly #keys: ReadonlyMap<string, KeyObject>;

  constructor(publicKeys: readonly Uint8Array[]) {
    this.#keys = new Map(
      publicKeys.map((bytes) => [
        keyIdOf(bytes),
        createPublicKey({ key: Buffer.concat([PUBLIC_KEY, bytes]), format: 'der', type: 'spki' }),
      ]),
    );
  }

  isSigned(seal: Seal): boolean {
    const key = this.#keys.get(seal.keyId);
    return key !== undefined && verify(null, Buffer.from(textOf(seal)), key, Buffer.from(seal.signature, 'base64'));
  }
}

/** Where seals are kept outside the database. A seal is written once and never replaced. */
export interface SealExports {
  /** `null` if there is none with this number. */
  read(number: bigint): Promise<Seal | 'unreadable' | null>;
  /** Writes the seal durably. One that is there already stays as it is. */
  write(seal: Seal): Promise<void>;
}

/** The proof of the audit trail from outside the database. */
export interface SealWitness {
  readonly keys: SealKeys;
  readonly exports: SealExports;
}

/** The name of a seal's file or object. */
export const sealName = (number: bigint) => `seal-${number.toString().padStart(12, '0')}.json`;

/** A seal as a text that outlives the database. */
export function writeSeal(seal: Seal): string {
  const { number, sequence, sealedAt } = seal;
  return `${JSON.stringify({ ...seal, number: `${number}`, sequence: `${sequence}`, sealedAt: sealedAt.toISOString() })}\n`;
}

export function readSeal(text: string): Seal | 'unreadable' {
  try {
    const { number, sequence, hashes, previous, sealedAt, keyId, signature } = JSON.parse(text) as Record<
      string,
      unknown
    >;
    if (!Array.isArray(hashes)) return 'unreadable';
    const seal = {
      number: BigInt(String(number)),
      sequence: BigInt(String(sequence)),
      hashes: hashes.map(String),
      previous: String(previous),
      sealedAt: new Date(String(sealedAt)),
      keyId: String(keyId),
      signature: String(signature),
    };
    return Number.isNaN(seal.sealedAt.getTime()) ? 'unreadable' : seal;
  } catch {
    return 'unreadable';
  }
}

/** Whether both are equal. */
export const isSameSeal = (one: Seal, other: Seal) => digestOf(one) === digestOf(other);
