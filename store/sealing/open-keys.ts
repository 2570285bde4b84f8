// Opens a process's keys, from its configuration or from a vault. Keys that a vault unwraps are held in memory:
// refreshed while the vault answers, forgotten when it has not for five minutes. Then nothing is sealed or opened, and
// requests get a 503.
import type { Database } from '../database.js';
import { readDataKeys, type WrappedKey } from './data-keys.js';
import {
  KEY_PURPOSES,
  KeyNotHeldError,
  type KeyProvider,
  type KeyPurpose,
  keysInMemory,
  KeysUnavailableError,
  type SealingPurpose,
  wipe,
} from './keys.js';
import { createTransit, type Transit, type TransitConfig } from './transit.js';

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
  readonly purpose: SealingPurpose;
  readonly key: Buffer;
  readonly activeFromMs: number;
}

interface VaultKeySet {
  readonly atMs: number;
  /** The latest first. */
  readonly sealing: readonly SealingKey[];
  readonly hash: Buffer | null;
}

export interface VaultKeysOptions {
  readonly database: Database;
  readonly transit: Transit;
  /** The purposes that this process needs: it asks for no other keys. */
  readonly purposes?: readonly KeyPurpose[];
  readonly nowMs?: () => number;
}

/** Opens the keys and keeps them fresh. Does not wait: every use throws until the vault answers. */
export class VaultKeys implements OpenKeys {
  readonly #database: Database;
  readonly #transit: Transit;
  readonly #purposes: readonly KeyPurpose[];
  readonly #nowMs: () => number;
  readonly #timer: NodeJS.Timeout;
  #loaded: VaultKeySet | undefined;
  #loading: Promise<void> | undefined;
  #askedAtMs = -Infinity;

  constructor({ database, transit, purposes = KEY_PURPOSES, nowMs = Date.now }: VaultKeysOptions) {
    [this.#database, this.#transit, this.#purposes, this.#nowMs] = [database, transit, purposes, nowMs];
    this.#timer = setInterval(() => void this.#askAgain(), REFRESH_MS).unref();
  }

  currentId(): string {
    return this.#active(this.#usable().sealing).id;
  }

  current(purpose: SealingPurpose): { id: string; key: Buffer } {
    return this.#active(this.#keysFor(purpose));
  }

  byId(purpose: SealingPurpose, id: string): Buffer | undefined {
    const known = this.#keysFor(purpose).find((one) => one.id === id);
    if (known !== undefined) return known.key;
    if (this.#nowMs() - this.#askedAtMs < ASK_AGAIN_MS) return undefined;
    // Another process has just made this key: a retry will find it.
    void this.#askAgain();
    throw new KeysUnavailableError('the key is not known here yet');
  }

  hashKey(): Buffer {
    const { hash } = this.#usable();
    if (hash === null) throw new KeyNotHeldError('look_up');
    return hash;
  }

  async ready(): Promise<void> {
    if (!this.#isUsable()) await this.refresh();
    this.currentId();
  }

  snapshot(): KeyProvider {
    const { sealing, hash } = this.#usable();
    const current = this.currentId();
    const kept = sealing.map(({ id, purpose, key }) => ({ id, purpose, key: Buffer.from(key) }));
    return keysInMemory(
      [...kept.filter(({ id }) => id === current), ...kept.filter(({ id }) => id !== current)],
      hash === null ? null : Buffer.from(hash),
    );
  }

  /** Reads the keys and unwraps each purpose's in one call; rejects if Postgres or the vault does not answer. */
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
    const unwrapped = await Promise.all(this.#purposes.map((purpose) => this.#unwrap(purpose, rows)));
    this.#loaded = loadedOf(unwrapped.flat(), this.#askedAtMs);
  }

  async #unwrap(purpose: KeyPurpose, rows: readonly WrappedKey[]): Promise<UnwrappedKey[]> {
    const own = rows.filter((row) => row.purpose === purpose);
    if (own.length === 0) throw new KeysUnavailableError(`there is no key for ${purpose}`);
    const keys = await this.#transit.unwrap(
      purpose,
      own.map(({ wrapped }) => wrapped),
    );
    return own.map((row, index) => ({ ...row, key: keys[index]! }));
  }

  #active(keys: readonly SealingKey[]): SealingKey {
    const now = this.#nowMs();
    const current = keys.find(({ activeFromMs }) => activeFromMs <= now);
    if (current === undefined) throw new KeysUnavailableError('no sealing key is active yet');
    return current;
  }

  #keysFor(purpose: SealingPurpose): readonly SealingKey[] {
    const { sealing } = this.#usable();
    if (!this.#purposes.includes(purpose)) throw new KeyNotHeldError(purpose);
    return sealing.filter((one) => one.purpose === purpose);
  }

  async #askAgain(): Promise<void> {
    if (this.#nowMs() - this.#askedAtMs >= ASK_AGAIN_MS) await this.refresh().catch(() => undefined);
    if (!this.#isUsable()) this.#forget();
  }

  #isUsable(): boolean {
    return this.#loaded !== undefined && this.#nowMs() - this.#loaded.atMs < USABLE_MS;
  }

  #usable(): VaultKeySet {
    if (this.#loaded !== undefined && this.#isUsable()) return this.#loaded;
    void this.#askAgain();
    throw new KeysUnavailableError('the vault has not answered');
  }

  #forget(): void {
    for (const { key } of this.#loaded?.sealing ?? []) wipe(key);
    if (this.#loaded?.hash) wipe(this.#loaded.hash);
    this.#loaded = undefined;
  }
}

type UnwrappedKey = WrappedKey & { readonly key: Buffer };

function loadedOf(keys: readonly UnwrappedKey[], atMs: number): VaultKeySet {
  const hash = keys.find(({ purpose }) => purpose === 'look_up')?.key ?? null;
  const sealing = keys.flatMap(({ id, purpose, key, activeFrom }) =>
    purpose === 'look_up' ? [] : [{ id, purpose, key, activeFromMs: activeFrom.getTime() }],
  );
  return { atMs, sealing, hash };
}

/** Keys in the configuration itself, or the vault that has them. */
export type KeySource =
  | { readonly kind: 'held'; readonly keys: KeyProvider }
  | { readonly kind: 'vault'; readonly transit: TransitConfig; readonly purposes: readonly KeyPurpose[] };

/** Starts opening the keys. Does not fail if the vault does not answer: `ready` rejects, and every use throws. */
export function openKeys(source: KeySource, database: Database): OpenKeys {
  if (source.kind === 'vault') {
    const keys = new VaultKeys({ database, transit: createTransit(source.transit), purposes: source.purposes });
    keys.ready().catch(() => undefined);
    return keys;
  }
  const { keys } = source;
  return {
    currentId: () => keys.currentId(),
    current: (purpose) => keys.current(purpose),
    byId: (purpose, id) => keys.byId(purpose, id),
    hashKey: () => keys.hashKey(),
    ready: () => Promise.resolve(),
    snapshot: () => keys,
    close: () => Promise.resolve(),
  };
}
