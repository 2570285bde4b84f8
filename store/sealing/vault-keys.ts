// Keys that a vault unwraps, held in memory: refreshed while the vault answers, forgotten when it has not for five
// minutes. Then nothing is sealed or opened, and requests get a 503.
import type { Database } from '../database.js';
import { type KeyProvider, keysInMemory, KeysUnavailableError } from './sealer.js';
import { readDataKeys, type WrappedKey } from './data-keys.js';
import type { Transit } from './transit.js';

/** How long keys are used after the vault last answered: locking the vault stops the gateway within this time. */
export const USABLE_MS = 5 * 60_000;
const REFRESH_MS = 30_000;
/** An unknown key id triggers a refresh, at most this often. */
const ASK_AGAIN_MS = 1_000;

export interface OpenKeys extends KeyProvider {
  /** Resolves when keys can be used; rejects with the reason. */
  ready(): Promise<void>;
  /** A copy of the current keys for a short command; it stays usable after `close`. */
  snapshot(): KeyProvider;
  close(): Promise<void>;
}

interface SealingKey {
  readonly id: string;
  readonly key: Buffer;
  readonly activeFromMs: number;
}

interface Loaded {
  readonly atMs: number;
  /** The latest first. */
  readonly sealing: readonly SealingKey[];
  readonly hash: Buffer;
}

export interface VaultKeysOptions {
  readonly database: Database;
  readonly transit: Transit;
  readonly nowMs?: () => number;
}

/** Opens the keys and keeps them fresh. Does not wait: every use throws until the vault answers. */
export class VaultKeys implements OpenKeys {
  readonly #database: Database;
  readonly #transit: Transit;
  readonly #nowMs: () => number;
  readonly #timer: NodeJS.Timeout;
  #loaded: Loaded | undefined;
  #loading: Promise<void> | undefined;
  #askedAtMs = -Infinity;

  constructor({ database, transit, nowMs = Date.now }: VaultKeysOptions) {
    [this.#database, this.#transit, this.#nowMs] = [database, transit, nowMs];
    this.#timer = setInterval(() => void this.#askAgain(), REFRESH_MS).unref();
  }

  current(): { id: string; key: Buffer } {
    const { sealing } = this.#usable();
    const now = this.#nowMs();
    const current = sealing.find(({ activeFromMs }) => activeFromMs <= now);
    if (current === undefined) throw new KeysUnavailableError('no sealing key is active yet');
    return current;
  }

  byId(id: string): Buffer | undefined {
    const known = this.#usable().sealing.find((one) => one.id === id);
    if (known !== undefined) return known.key;
    if (this.#nowMs() - this.#askedAtMs < ASK_AGAIN_MS) return undefined;
    // Another process has just made this key: a retry will find it.
    void this.#askAgain();
    throw new KeysUnavailableError('the key is not known here yet');
  }

  hashKey(): Buffer {
    return this.#usable().hash;
  }

  async ready(): Promise<void> {
    if (!this.#isUsable()) await this.refresh();
    this.current();
  }

  snapshot(): KeyProvider {
    const { sealing, hash } = this.#usable();
    const current = this.current().id;
    const kept = sealing.map(({ id, key }) => ({ id, key: Buffer.from(key) }));
    return keysInMemory(
      [...kept.filter(({ id }) => id === current), ...kept.filter(({ id }) => id !== current)],
      Buffer.from(hash),
    );
  }

  /** Reads the keys and unwraps them in one call; rejects if Postgres or the vault does not answer. */
  refresh(): Promise<void> {
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#loading?.catch(() => undefined);
    this.#forget();
    await this.#transit.close();
  }

  async #load(): Promise<void> {
    this.#askedAtMs = this.#nowMs();
    const rows = await readDataKeys(this.#database);
    if (rows.length === 0) throw new KeysUnavailableError('there are no data keys: gateway sealing init');
    const keys = await this.#transit.unwrap(rows.map(({ wrapped }) => wrapped));
    const unwrapped = rows.map((row, index) => ({ ...row, key: keys[index]! }));
    this.#loaded = loadedOf(unwrapped, this.#askedAtMs);
  }

  async #askAgain(): Promise<void> {
    if (this.#nowMs() - this.#askedAtMs >= ASK_AGAIN_MS) await this.refresh().catch(() => undefined);
    if (!this.#isUsable()) this.#forget();
  }

  #isUsable(): boolean {
    return this.#loaded !== undefined && this.#nowMs() - this.#loaded.atMs < USABLE_MS;
  }

  #usable(): Loaded {
    if (this.#loaded !== undefined && this.#isUsable()) return this.#loaded;
    void this.#askAgain();
    throw new KeysUnavailableError('the vault has not answered');
  }

  #forget(): void {
    for (const { key } of this.#loaded?.sealing ?? []) key.fill(0);
    this.#loaded?.hash.fill(0);
    this.#loaded = undefined;
  }
}

function loadedOf(keys: readonly (WrappedKey & { readonly key: Buffer })[], atMs: number): Loaded {
  const hash = keys.find(({ purpose }) => purpose === 'hash');
  if (hash === undefined) throw new KeysUnavailableError('there is no hash key');
  const sealing = keys
    .filter(({ purpose }) => purpose === 'sealing')
    .map(({ id, key, activeFrom }) => ({ id, key, activeFromMs: activeFrom.getTime() }));
  return { atMs, sealing, hash: hash.key };
}
