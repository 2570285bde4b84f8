// Opens a process's keys, from its configuration or from a vault.
import type { Database } from '../database.js';
import type { KeyPurpose } from './purposes.js';
import type { KeyProvider } from './sealer.js';
import { createTransit, type TransitConfig } from './transit.js';
import { type OpenKeys, VaultKeys } from './vault-keys.js';

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
