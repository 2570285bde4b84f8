// Woovi's public keys, which its webhooks are signed with: fetched without a credential, kept for an hour, and all of
// them valid, because two are during a rotation. While they cannot be fetched, the known ones stay valid.
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { z } from 'zod';
import { HttpConnections } from '../common/http.js';

const FRESH_MS = 3_600_000;
/** As long as an outage of the list may last before nothing is proved any more. */
const USABLE_MS = 24 * 3_600_000;
/** A signature that no key proves may follow a rotation. Forgers cannot make us ask more often than this. */
const ASK_AGAIN_AFTER_MS = 10_000;
const TIMEOUT_MS = 3_000;
const MAX_KEYS = 10;
/** What Woovi signs with today. */
const MIN_MODULUS_BITS = 1_024;

const keyList = z.object({
  public_keys: z
    .array(z.object({ key: z.string().max(8_192), key_identifier: z.string().max(100) }))
    .min(1)
    .max(MAX_KEYS),
});

export type Proof = 'proved' | 'not_proved' | 'no_keys';

export class PublicKeys {
  readonly #connections: HttpConnections;
  #keys: readonly KeyObject[] = [];
  #fetchedAtMs = -Infinity;
  #askedAtMs = -Infinity;
  #asking: Promise<void> | null = null;

  constructor(
    /** The whole address of the list. */
    url: string,
    private readonly now: () => number = Date.now,
  ) {
    this.#connections = new HttpConnections(url);
  }

  /** Whether one of the keys made the signature (base64 of RSA-SHA256 over the raw body). */
  async prove(body: Buffer, signature: string): Promise<Proof> {
    if (this.#age() >= FRESH_MS) await this.#refresh();
    if (this.#isProved(body, signature)) return 'proved';
    // Perhaps it is signed with a key that is newer than the list.
    const before = this.#keys;
    await this.#refresh();
    if (this.#keys !== before && this.#isProved(body, signature)) return 'proved';
    return this.#age() < USABLE_MS ? 'not_proved' : 'no_keys';
  }

  async close(): Promise<void> {
    await this.#connections.close();
  }

  #age(): number {
    return this.now() - this.#fetchedAtMs;
  }

  #isProved(body: Buffer, signature: string): boolean {
    if (this.#age() >= USABLE_MS) return false;
    const bytes = Buffer.from(signature, 'base64');
    return this.#keys.some((key) => verify('sha256', body, key, bytes));
  }

  /** Requests the list, unless it was requested a moment ago. Concurrent callers wait for the same answer. */
  #refresh(): Promise<void> {
    if (this.#asking === null && this.now() - this.#askedAtMs < ASK_AGAIN_AFTER_MS) return Promise.resolve();
    this.#asking ??= this.#fetch().finally(() => (this.#asking = null));
    return this.#asking;
  }

  async #fetch(): Promise<void> {
    this.#askedAtMs = this.now();
    const answer = await this.#connections.send(
      { method: 'GET', path: '', headers: {} },
      AbortSignal.timeout(TIMEOUT_MS),
    );
    if (answer.kind !== 'answered' || answer.status !== 200) return;
    const parsed = keyList.safeParse(answer.body);
    if (!parsed.success) return;
    const keys = parsed.data.public_keys.flatMap(({ key, key_identifier }) => readKey(key, key_identifier) ?? []);
    // A list without one good key replaces nothing.
    if (keys.length === 0) return;
    this.#keys = keys;
    this.#fetchedAtMs = this.now();
  }
}

/** An RSA key whose identifier matches it; `null` for anything else. */
function readKey(pem: string, identifier: string): KeyObject | null {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_MODULUS_BITS)
      return null;
    const own = createHash('sha256')
      .update(key.export({ type: 'spki', format: 'der' }))
      .digest('hex');
    return own === identifier.toLowerCase() ? key : null;
  } catch {
    return null;
  }
}
