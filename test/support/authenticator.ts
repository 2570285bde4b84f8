// An authenticator for tests: makes ES256 passkeys and signs with them as WebAuthn says, in software.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

interface Key {
  readonly id: Buffer;
  readonly privateKey: KeyObject;
  counter: number;
}

interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id?: string };
  readonly rpId?: string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

export interface AuthenticatorFaults {
  /** The page's origin, where it is another one. */
  readonly origin?: string;
  /** Nobody entered a PIN or showed a finger. */
  readonly isUnverified?: boolean;
  readonly counter?: number;
}

export class TestAuthenticator {
  readonly #origin: string;
  #key: Key | undefined;
  #publicKey: Buffer = Buffer.alloc(0);

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** `navigator.credentials.create()` */
  create({ challenge, rp }: Options, faults: AuthenticatorFaults = {}) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = (this.#key = { id: randomBytes(32), privateKey, counter: 0 });
    this.#publicKey = coseKey(publicKey);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(key.id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, key.id, this.#publicKey]);
    const data = Buffer.concat([this.#data(rp?.id ?? '', HAS_KEY, faults), attested]);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.from([0xa0]),
      text('authData'),
      Buffer.from([0x58, data.length]),
      data,
    ]);
    const clientDataJSON = this.#clientData('webauthn.create', challenge, faults);
    return this.#credential({
      attestationObject: attestationObject.toString('base64url'),
      clientDataJSON: clientDataJSON.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** `navigator.credentials.get()` */
  get({ challenge, rpId = '' }: Options, faults: AuthenticatorFaults = {}) {
    const key = this.#ownKey();
    const data = this.#data(rpId, 0, faults);
    const clientData = this.#clientData('webauthn.get', challenge, faults);
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    return this.#credential({
      authenticatorData: data.toString('base64url'),
      clientDataJSON: clientData.toString('base64url'),
      signature: sign('sha256', signed, key.privateKey).toString('base64url'),
    });
  }

  get id(): string {
    return this.#ownKey().id.toString('base64url');
  }

  /** COSE, as it is stored. */
  get publicKey(): Buffer {
    return this.#publicKey;
  }

  #ownKey(): Key {
    if (this.#key === undefined) throw new Error('the authenticator has no key yet');
    return this.#key;
  }

  #data(rpId: string, more: number, { isUnverified = false, counter }: AuthenticatorFaults): Buffer {
    const key = this.#ownKey();
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? (key.counter += 1));
    const flags = Buffer.from([USER_PRESENT | (isUnverified ? 0 : USER_VERIFIED) | more]);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), flags, count]);
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: AuthenticatorFaults): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #credential<Response>(response: Response) {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

/** COSE: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y} */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coordinate = (value: string) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(value, 'base64url')]);
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]);
  return Buffer.concat([head, coordinate(x), Buffer.from([0x22]), coordinate(y)]);
}

/** A CBOR text of fewer than 24 bytes. */
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | value.length]), Buffer.from(value)]);
}
